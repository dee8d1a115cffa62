import FeatureFlags
import FlagChanges

/// The provider that a flag's form changes, or the reason that there is no form.
struct EditorAccess {
    /// `nil` if there is no form.
    let provider: String?
    let writable: [String]
    /// False if the provider's file can't be read, which a banner announces.
    let isReadable: Bool
    /// False if the input was meant for another provider.
    let holdsForm: Bool
    /// A note that another provider was requested.
    let note: String?
    let refusal: PageRemark?
    let elsewhereNote: String?

    init(_ entry: FlagEntry, _ view: CatalogueView, wanted: String?, form: FlagForm?) {
        let providers = view.catalogue.providers
        let status = view.status
        // If the cause may pass, the form stays, so that saving again is one step.
        let repeats = form?.mayBeRepeated == true ? form?.provider : nil
        let writable = providers.filter { provider in
            provider.takesChanges(of: entry.key)
                && (provider.name == repeats
                    || !status.unreadable.contains(provider.name) && !status.unwritable.contains(provider.name))
        }.map(\.name)
        self.writable = writable
        // Another environment is changed only on request, and no other provider in its place.
        let usual = providers.filter { writable.contains($0.name) }.usual?.name
        let elsewhere = providers.first { $0.name == wanted && !$0.isAsked }
        let target = writable.first { $0 == wanted } ?? (elsewhere == nil ? usual : nil)
        let closed = target == nil ? elsewhere.map { Self.closed($0, status) } : nil
        let refusal = Self.refusal(entry, view, target, isRepeated: repeats != nil, closed)
        self.refusal = refusal
        let chosen = refusal == nil ? target : nil
        provider = chosen
        elsewhereNote = chosen.flatMap(view.catalogue.elsewhereNote)
        isReadable = chosen.map { !status.unreadable.contains($0) } ?? false
        holdsForm = form != nil && chosen != nil && (form?.provider == nil || form?.provider == chosen)
        note = Self.note(wanted, providers, chosen, of: entry.key)
    }

    private static func refusal(
        _ entry: FlagEntry, _ view: CatalogueView, _ target: String?, isRepeated: Bool,
        _ closed: PageRemark?
    ) -> PageRemark? {
        if entry.definition.metadata.isLocked {
            let lifting =
                if let block = view.status.block {
                    "It can’t be unlocked now: \(block)"
                } else if LockForm(entry, in: view) != nil {
                    "As an admin, you can unlock it below."
                } else if view.status.isDefinedElsewhere {
                    "That is done at the server that defines the flags."
                } else {
                    "An admin does that here, in the dashboard."
                }
            return PageRemark(
                heading: "This flag is locked",
                advice: "Nobody can change it here until an admin unlocks it. \(lifting)")
        }
        if let remark = looking(view) { return remark }
        if let block = view.status.block, !isRepeated {
            return PageRemark(heading: "Nothing can be changed now", advice: block)
        }
        guard target == nil else { return nil }
        if let closed { return closed }
        let waiting = view.catalogue.providers.filter { $0.isAsked && $0.takesChanges(of: entry.key) }.map(\.name)
        guard waiting.isEmpty else {
            return PageRemark(
                heading: "Nothing can be changed now",
                advice: "The file of \(waiting.joined(separator: ", ")) must be repaired or made writable first. The "
                    + "top of the page says what is wrong with it.")
        }
        return view.catalogue.providers.contains(where: \.isWritable) ? noneRead : noneWritable
    }

    /// The reason that this person can't change any value, unless a banner on each page gives it.
    static func unannouncedRefusal(in view: CatalogueView) -> PageRemark? {
        if let remark = looking(view) { return remark }
        let isSaid = view.status.block != nil || view.catalogue.providers.contains(where: \.isWritable)
        return isSaid ? nil : noneWritable
    }

    private static func closed(_ provider: ProviderSummary, _ status: ServiceStatus) -> PageRemark {
        let isBarred = status.unreadable.contains(provider.name) || status.unwritable.contains(provider.name)
        return PageRemark(
            heading: "Nothing can be changed in \(provider.name)",
            advice: isBarred && provider.isWritable
                ? "Its file must be repaired or made writable first." : "It is read-only.")
    }

    private static func looking(_ view: CatalogueView) -> PageRemark? {
        guard let person = view.visitor?.person, person.role == .viewer else { return nil }
        return PageRemark(
            heading: "You may look, but not change",
            advice: "You are signed in as \(person.name) with the role viewer. To change values, sign in with the "
                + "token of an editor or an admin.")
    }

    private static let noneWritable = PageRemark(
        heading: "Every provider is read-only",
        advice: "To change values, start Flagboard with a provider that can be written.")

    private static let noneRead = PageRemark(
        heading: "This flag can’t be changed here",
        advice: "The app’s code reads it from no provider that can be changed.")

    private static func note(
        _ wanted: String?, _ providers: [ProviderSummary], _ chosen: String?, of key: FlagKeyPath
    ) -> String? {
        guard let wanted, let chosen, wanted != chosen else { return nil }
        let cause =
            if let provider = providers.first(where: { $0.name == wanted }) {
                if !provider.isRead(for: key) {
                    "The app does not read this flag from \(wanted)"
                } else {
                    provider.isWritable ? "The file of \(wanted) can’t be changed now" : "\(wanted) is read-only"
                }
            } else {
                "There is no provider \(ShownValue(.string(wanted)).inSentence)"
            }
        return "\(cause): this form changes \(chosen)."
    }
}

/// A note on a change after which another value is effective.
enum EffectiveNote {
    /// Returns `nil` if the provider's value becomes effective, as one expects.
    ///
    /// `held` has the new values of all providers that are changed together; `nil` is a reset.
    static func text(_ entry: FlagEntry, changing provider: String, amid held: [String: FlagValue?]) -> String? {
        guard entry.resolution.asks(provider) else { return nil }
        let then = held.reduce(entry.resolution) { resolution, change in
            entry.definition.resolution(after: resolution, changing: change.key, to: change.value)
        }
        guard then.source != .provider(provider) else { return nil }
        if FlagState(then) == .computed {
            return then.source == .computed
                ? "The app computes the value, and asks for this one only if it computes none."
                : "The app then computes the default."
        }
        guard let value = then.effectiveValue else { return "The flag then has no value, since it has no default." }
        let verb = value == entry.resolution.effectiveValue ? "stays" : "is then"
        let source = then.source == .defaultValue ? "its default" : then.source.words
        return "The effective value \(verb) \(ShownValue(value, limit: 60).inSentence), from \(source)."
    }
}
