import FeatureFlags
import FlagHistory
import Foundation

@testable import FlagChanges
@testable import Flagboard

extension Samples {
    /// The pages on which flags are defined, under what waits for a restart.
    static let definitionPages: [any PageModel] = {
        var view = Samples.view(by: .admin)
        let waits = (0..<21).map {
            PendingRestart.Wait(
                key: key("ui/wait\($0)"), name: "Wait \($0)", before: nil, now: .integer(3), alteredRow: 3)
        }
        view.pendingRestart = PendingRestart(waits: waits, lastRow: 4, lacksPruned: true)
        let frame = PageFrame(
            fileName: "flags.xml", providers: [], visitor: view.visitor, restart: RestartBanner(view))
        var form = DefinitionForm(key: "ui/new", type: .choice)
        form.problem = "It is not valid."
        form.problems = ["type": "No.", "default": "No.", "isLocked": "No.", "name": "No.", "choiceKind": "No."]
        var unusual = DefinitionForm(key: "ui/new flag", type: .string)
        unusual.isKeyUnusual = true
        var choosing = FlagDefinition(key: key("ui/size"), type: .choice, defaultValue: .string("large"))
        choosing.constraints.choices = [.string("small"), .string("large")]
        let copy = DefinitionForm(copyOf: choosing, in: view.catalogue)
        let flag = entry(
            "ui/theme", .string, stored: .string("x"), metadata: FlagMetadata(isLocked: true, retired: "old"))
        let stored = StoredDefinition(definition: flag.definition, revision: FlagRevision(rawValue: "1"))
        let defined = record(2, "ui/theme", .define, provider: nil)
        let deeds: [DefinitionPage.Deed] = [.rename, .retire, .delete]
        return [
            DefinitionPage(frame: frame, new: form, in: view), DefinitionPage(frame: frame, new: unusual, in: view),
            DefinitionPage(frame: frame, new: copy, in: view),
            DefinitionPage(frame: frame, stored: stored, entry: flag, in: view, form: form, isConflict: true),
            FlagPage(
                frame: frame, entry: flag, view: view,
                past: FlagHistorySummary(
                    page: HistoryPage(records: [defined], total: 1, hasNewer: false, hasOlder: false),
                    steps: ValueSteps(
                        steps: [
                            ValueSteps.Step(
                                id: 2, at: now.addingTimeInterval(-60), provider: "local", before: .string("x"),
                                after: nil),
                            ValueSteps.Step(
                                id: 1, at: now.addingTimeInterval(-86_400), provider: "local", before: nil,
                                after: .string("x")),
                        ], rowCount: 2, cutOff: nil),
                    lockedBy: record(3, "ui/theme", .lock, reason: "because", provider: nil),
                    renaming: Renaming(removed: record(1, "ui/colours", .remove, provider: nil), defined: defined))),
            FlagListPage(frame: frame, view: view, filter: FlagFilter()),
        ]
            + deeds.map { deed in
                DefinitionPage(
                    frame: frame, stored: stored, entry: flag, in: view,
                    refused: DefinitionPage.Refused(deed: deed, fields: noFields, problem: "It can't be."))
            }
    }()

    private static let noFields: FormFields = {
        guard case .success(let fields) = Result(catching: { try FormFields("") }) else {
            preconditionFailure("no fields")
        }
        return fields
    }()
}
