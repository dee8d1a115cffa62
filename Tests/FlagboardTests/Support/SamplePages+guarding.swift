import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

@testable import FlagChanges
@testable import Flagboard

extension Samples {
    /// The pages that change an environment which requires a reason and a confirmation, with refused forms.
    static let guardedPages: [any PageModel] = {
        var view = Samples.view(by: .admin)
        view.environments = EnvironmentCheck(
            localName: "local", own: EnvironmentRules(requiresReason: true, confirmsChanges: true), manifest: nil)
        let calm = frame()
        let count = entry("n", .integer, stored: .integer(4))
        var forms: [FlagForm] = []
        for refusal in [ChangeError.Reason.reasonRequired, .confirmationRequired] {
            var form = FlagForm(
                value: "5", provider: "local", problem: "It needs more.",
                place: refusal == .reasonRequired ? .reason : .confirmation)
            form.refusal = refusal
            forms.append(form)
            form.isAsking = true
            forms.append(form)
            (form.isAsking, form.isOfLock) = (false, true)
            forms.append(form)
        }
        var definition = DefinitionForm(key: "ui/new", type: .bool)
        definition.refusal = .confirmationRequired
        let stored = StoredDefinition(definition: count.definition, revision: FlagRevision(rawValue: "1"))
        let deeds: [DefinitionPage.Deed] = [.rename, .retire, .delete]
        return forms.map { FlagPage(frame: calm, entry: count, view: view, provider: "local", form: $0) }
            + [guardedBatch(view), DefinitionPage(frame: calm, new: definition, in: view)]
            + deeds.map { deed in
                DefinitionPage(
                    frame: calm, stored: stored, entry: count, in: view,
                    refused: DefinitionPage.Refused(
                        deed: deed, fields: FormFields([String: String]()), problem: "Confirm it.",
                        refusal: .confirmationRequired))
            }
    }()

    /// Two changes, of which one is left out, without a reason.
    private static func guardedBatch(_ view: CatalogueView) -> BatchPage {
        let changes = ["ui/theme", "ui/motd"].map { Change(key: key($0), action: .reset) }
        var proposal = BatchProposal(title: "Two", changes: changes, origin: .form, back: "/")
        (proposal.refusal, proposal.unticked) = (.reasonRequired, [BatchRow.place(of: changes[1])])
        let previews = changes.map { ChangePreview(change: $0, provider: "local", before: .string("a"), after: nil) }
        do {
            return try BatchPage(
                frame: frame(), proposal: proposal, previews: previews, view: view, isRefused: true
            ) { _ in "a5" }
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
