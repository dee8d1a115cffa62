import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct MergeConflictCard: Hashable, PagePart {
    let text: String
    let ours: ShownValue
    let theirs: ShownValue
    let isWhole: Bool
    let canSettle: Bool
    let action: String
    let provider: String
    /// The definition's field; empty for a value.
    let field: String
    let advice: String

    static func all(of entry: FlagEntry, in view: CatalogueView) -> [MergeConflictCard] {
        let access = EditorAccess(entry, view, wanted: nil, form: nil)
        return view.conflicts.filter { $0.key == entry.key }.map { MergeConflictCard($0, access, in: view) }
    }

    private init(_ conflict: FileConflict, _ access: EditorAccess, in view: CatalogueView) {
        let file = conflict.file.lastPathComponent
        let whose = conflict.provider.map { " (\($0))" } ?? ""
        let subject = conflict.provider == nil ? "\(conflict.place): a" : "A"
        text = "\(subject) merge of \(file)\(whose) left two versions. Choose one."
        (ours, theirs) = ShownValue.pair(conflict.ours, conflict.theirs)
        isWhole = conflict.isWhole
        provider = conflict.provider ?? ""
        field = conflict.field ?? ""
        canSettle =
            conflict.provider == nil
            ? conflict.field != nil && DefinitionLink.canDefine(view)
            : access.refusal == nil && access.writable.contains(provider)
        action = PageLink.flag(conflict.key)
        advice = "Choose one in \(file), \(conflict.location), and remove the comment there."
    }
}

extension CatalogueView {
    func conflictProblems(of entry: FlagEntry) -> [String] {
        conflicts.filter { $0.key == entry.key }.map { conflict in
            let place = conflict.provider ?? conflict.place
            guard conflict.isWhole else {
                return "\(place): A merge left a conflict. Choose a version."
            }
            let (ours, theirs) = (ShownValue(conflict.ours).inSentence, ShownValue(conflict.theirs).inSentence)
            return "\(place): A merge left a conflict between \(ours) (in the file) and \(theirs)."
        }
    }
}

extension BatchProposal {
    init(settling change: Change) {
        let key = change.key.shownText
        let isOurs = change.action.settledSide == .ours
        self.init(
            title: isOurs ? "Keep the file’s version of \(key)" : "Use the other version of \(key)", changes: [change],
            origin: .form, back: PageLink.flag(change.key), reason: "Merge conflict resolved")
    }
}

extension PageNotice {
    private static let mostNamed = 3

    init?(_ conflicts: [FileConflict]) {
        guard !conflicts.isEmpty else { return nil }
        let named = conflicts.prefix(Self.mostNamed).map { conflict in
            let place = "\(conflict.place) in \(conflict.file.lastPathComponent)"
            guard conflict.isWhole else { return place }
            let (ours, theirs) = (ShownValue(conflict.ours).inSentence, ShownValue(conflict.theirs).inSentence)
            return "\(place), where the file has \(ours) and the other version is \(theirs)"
        }
        let more = conflicts.count - named.count
        self.init(
            "error", conflicts.count == 1 ? "A merge left a conflict." : "Merges left \(conflicts.count) conflicts.",
            "Choose a version of \(named.joined(separator: "; of "))\(more > 0 ? "; and of \(more) more" : ""). "
                + (conflicts.contains { $0.isWhole && ($0.provider != nil || $0.field != nil) }
                    ? "The flag’s page shows both versions."
                    : "Resolve \(conflicts.count == 1 ? "it" : "them") in the file."))
    }
}

/// An undo that must be confirmed.
struct UndoPreview: PreviewRequest {
    let change: Change
    let deed: BatchDeed
    let back: String?

    var size: Int { change.reason.utf8.count }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        BatchProposal(
            title: deed.rawValue.uppercasedFirst, changes: [change], origin: .revert,
            back: back ?? PageLink.flag(change.key),
            reason: change.reason)
    }
}

struct SettlementPreview: PreviewRequest {
    let change: Change

    var size: Int { change.reason.utf8.count }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        BatchProposal(settling: change)
    }
}
