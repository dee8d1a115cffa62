import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// A copy of values from one column of a matrix to another.
struct ValueCopy: Sendable {
    let matrix: ValueMatrix
    let source: Int
    let target: Int
    let rows: [ValueMatrix.Row]
    let takesAll: Bool
    /// The rows that were left out, as they are locked.
    var lockedCount = 0
    /// A path within the dashboard.
    let back: String

    /// A chosen flag that is locked stays in the proposal, so that the preview says why it can't change.
    func proposal(in view: CatalogueView) throws(FormError<Never>) -> BatchProposal {
        let (source, target) = (matrix.columns[source], matrix.columns[target])
        if let refusal = view.refusal(ofChangesIn: target) {
            throw FormError<Never>("Nothing was copied. \(refusal)", .forbidden)
        }
        if rows.isEmpty {
            throw FormError<Never>(
                takesAll
                    ? "Nothing to copy: \(lockedCount == 0 ? "both sides are the same." : "all differences are locked.")"
                    : "Select the flags to copy first.")
        }
        let (changes, broken) = changes(in: target)
        let brokenText = broken == 0 ? nil : Self.brokenText(broken, source)
        if changes.isEmpty {
            throw FormError<Never>("Nothing to copy: \(brokenText ?? "both sides are the same.")")
        }
        guard changes.count <= BatchProposal.largest else {
            throw FormError<Never>(
                "Can’t copy \(changes.count) flags at once: the limit is \(BatchProposal.largest). Narrow the search.")
        }
        let locked =
            lockedCount == 0
            ? nil
            : lockedCount == 1 ? "1 locked flag is skipped." : "\(lockedCount) locked flags are skipped."
        return BatchProposal(
            title: "Copy from \(source.label) to \(target.label)", changes: changes, origin: .form, back: back,
            notes: [brokenText?.asSentence, locked].compactMap(\.self), reason: "Copied from \(source.label)")
    }

    /// Binds each change to the target's current revision; `broken` flags are left out.
    ///
    /// A flag without a value in the source is reset in the target.
    private func changes(in target: ValueColumn) -> (changes: [Change], broken: Int) {
        guard let provider = target.provider else { return ([], 0) }
        var (changes, broken): ([Change], Int) = ([], 0)
        for row in rows where row.differs(self.source, self.target) {
            let action: Change.Action
            switch row.answers[source] {
            case .absent: action = .reset
            case .value(_, let stored): action = .setValue(stored)
            case .broken:
                broken += 1
                continue
            }
            let key = row.entry.key
            changes.append(
                Change(key: key, action: action, provider: provider, revision: row.entry.revisions[provider]))
        }
        return (changes, broken)
    }

    private static func brokenText(_ count: Int, _ source: ValueColumn) -> String {
        let flags =
            count == 1 ? "1 flag is skipped: its value" : "\(count) flags are skipped: their values"
        return "\(flags) in \(source.label) \(count == 1 ? "is" : "are") broken."
    }
}

extension CatalogueView {
    /// `nil` if the column can be changed.
    func refusal(ofChangesIn column: ValueColumn) -> String? {
        if let general = refusalOfChanges { return general }
        guard let name = column.provider else {
            return column == .defaults ? "Defaults are read-only." : "Effective values are read-only."
        }
        guard let provider = catalogue.providers.first(where: { $0.name == name }), provider.isWritable else {
            return "\(name) is read-only."
        }
        if status.unreadable.contains(name) { return "\(name) can’t be read." }
        return status.unwritable.contains(name) ? "The file of \(name) can’t be written." : nil
    }

    /// Returns why values can't be copied to some of the columns.
    func copyRefusals(_ columns: [ValueColumn]) -> [String] {
        if visitor?.person.role == .viewer { return ["Viewers can’t copy values."] }
        if let block = status.block { return [block] }
        return columns.compactMap(refusal)
    }

    /// `nil` if the viewer may change something.
    var refusalOfChanges: String? {
        if visitor?.person.role == .viewer {
            return "Viewers can’t change values."
        }
        return status.block
    }
}
