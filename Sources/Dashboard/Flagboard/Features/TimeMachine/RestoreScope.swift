import FeatureFlags
import FlagChanges

/// What of the past the person who looks can bring back.
struct RestoreScope: Hashable, Sendable {
    /// The providers whose values they can change now.
    let providers: Set<String>
    /// Whether they may define flags whose definitions are gone.
    let definesFlags: Bool

    /// The changes that bring a flag of then back, as far as they can.
    func changes(restoring flag: PastFlag) -> [Change] {
        contains(flag) ? flag.restoring(in: providers, defines: definesFlags) : []
    }

    /// Whether a flag can be brought back, at least in one provider.
    func contains(_ flag: PastFlag) -> Bool {
        guard !providers.isEmpty, !flag.wasInternal, flag.now?.definition.metadata.isLocked != true else {
            return false
        }
        return flag.canBeRestored(in: providers, defines: definesFlags)
    }

    /// What is to be known of bringing a flag back, as a sentence; `nil` where there is nothing to say.
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
    /// Whether the definition that is gone made it internal, so that it would disappear with it.
    fileprivate var wasInternal: Bool { lostDefinition?.definition.metadata.isInternal == true }
}

extension CatalogueView {
    /// What of the past the person who looks can bring back: other environments stay as they are.
    var restoreScope: RestoreScope {
        RestoreScope(
            providers: Set(
                catalogue.providers.filter(\.isAsked).map(\.name).filter { refusal(ofChangesIn: .provider($0)) == nil }),
            definesFlags: visitor?.isAdmin == true)
    }
}
