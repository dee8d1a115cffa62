import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

struct RestoreRequest: Sendable {
    private let filter: PastFilter
    private let keys: Set<FlagKeyPath>
    private let extent: String?

    /// Reads the field `restore`: `chosen` or `all`.
    init(_ form: ChoiceForm, _ filter: PastFilter) {
        self.filter = filter
        keys = Set(form.keys)
        extent = form.fields["restore"]
    }

    func proposal(_ past: PastState?, in view: CatalogueView) -> Result<BatchProposal, EmptyProposalError> {
        guard let past, past.moment.isKnown, ["chosen", "all"].contains(extent) else {
            return refused(
                "Choose a time of which the flags are known, then restore by the buttons: nothing was restored.")
        }
        let scope = view.restoreScope
        guard !scope.providers.isEmpty else {
            let cause = view.refusalOfChanges ?? "No provider can be written now."
            return refused("Nothing can be restored: \(cause)", .forbidden)
        }
        let flags = extent == "all" ? shown(past, view) : past.flags.filter { keys.contains($0.key) }
        if flags.isEmpty {
            return refused("No flag was chosen: tick those to restore, then press the button again.")
        }
        // A flag below a restored dictionary is part of its value, and comes back with it.
        let regained = Set(flags.filter { $0.hasLostDefinition && scope.contains($0) }.map(\.key))
        let wished = flags.filter { !$0.key.ancestors.contains(where: regained.contains) }.flatMap(scope.changes)
        // Resets come first, to free names for flags and groups.
        let changes = wished.filter { $0.action == .reset } + wished.filter { $0.action != .reset }
        if changes.isEmpty { return refused("There is nothing to restore: these flags are now what they were then.") }
        guard changes.count <= BatchProposal.largest else {
            return refused(
                "These are \(changes.count) values; at most \(BatchProposal.largest) can be restored at once. Search for "
                    + "fewer.")
        }
        // The history keeps this text for readers in every time zone, so it is in UTC.
        let time = TimeText(past.time).utc
        return .success(
            BatchProposal(
                title: "Restore the flags of \(time)", changes: changes, origin: .revert, back: filter.href,
                notes: notes(past, view), reason: "As of \(time)"))
    }

    private func shown(_ past: PastState, _ view: CatalogueView) -> [PastFlag] {
        found(past, view).filter(view.restoreScope.contains)
    }

    private func found(_ past: PastState, _ view: CatalogueView) -> [PastFlag] {
        past.flags(having: filter.text, in: view).filter(filter.extent.contains)
    }

    private func notes(_ past: PastState, _ view: CatalogueView) -> [String] {
        guard extent == "all" else { return [] }
        let scope = view.restoreScope
        let left = found(past, view).count { flag in
            (flag.values.contains(where: \.isDifferent) || flag.hasLostDefinition) && !scope.contains(flag)
        }
        guard left > 0 else { return [] }
        return [
            left == 1
                ? "1 flag is locked, read-only, or for an admin to define again, and left out."
                : "\(left) flags are locked, read-only, or for an admin to define again, and left out."
        ]
    }

    private func refused(
        _ text: String, _ status: HTTPResponse.Status = .unprocessableContent
    ) -> Result<BatchProposal, EmptyProposalError> {
        .failure(EmptyProposalError(status: status, text: text))
    }
}

/// The part of the past that the viewer may restore.
struct RestoreScope: Hashable, Sendable {
    /// The providers that the viewer can change now.
    let providers: Set<String>
    /// `true` when the viewer may define deleted flags again.
    let definesFlags: Bool

    func changes(restoring flag: PastFlag) -> [Change] {
        contains(flag) ? flag.restoring(in: providers, defines: definesFlags) : []
    }

    /// Returns whether a flag can be restored in at least one provider.
    func contains(_ flag: PastFlag) -> Bool {
        guard !providers.isEmpty, !flag.wasInternal, flag.now?.definition.metadata.isLocked != true else {
            return false
        }
        return flag.canBeRestored(in: providers, defines: definesFlags)
    }

    func note(on flag: PastFlag) -> String? {
        guard !providers.isEmpty, flag.isDifferent else { return nil }
        if contains(flag) {
            return flag.hasLostDefinition ? "Restoring defines the flag again, as it was then." : nil
        }
        guard flag.values.contains(where: \.isDifferent) || flag.hasLostDefinition else {
            return "Only its definition differs, and what is defined now stays: its history can revert that."
        }
        if flag.now?.definition.metadata.isLocked == true {
            return "Locked: can’t be restored until it is unlocked."
        }
        if flag.alteredRow != nil { return "Can’t be restored: what it was is not proven." }
        if flag.wasInternal { return "Can’t be restored here: it was internal then." }
        if flag.hasLostDefinition {
            return "Can’t be restored by you: its definition is gone, and only admins define flags."
        }
        return "Can’t be restored: only what can’t be written differs."
    }
}

extension PastFlag {
    /// `true` for a flag deleted as internal: once restored, it would be invisible again.
    fileprivate var wasInternal: Bool { lostDefinition?.definition.metadata.isInternal == true }
}

extension CatalogueView {
    /// The viewer's scope, which excludes other environments.
    var restoreScope: RestoreScope {
        RestoreScope(
            providers: Set(
                catalogue.providers.filter(\.isAsked).map(\.name).filter { refusal(ofChangesIn: .provider($0)) == nil }),
            definesFlags: visitor?.isAdmin == true)
    }
}
