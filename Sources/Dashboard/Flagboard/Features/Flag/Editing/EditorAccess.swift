import FeatureFlags
import FlagChanges

struct EditorAccess {
    /// `nil` if there is no form.
    let provider: String?
    let writable: [String]
    let environments: EnvironmentCheck?
    /// A banner announces an unreadable file.
    let isReadable: Bool
    /// False if the input was meant for another provider.
    let holdsForm: Bool
    /// A note that another provider was requested.
    let note: String?
    let refusal: PageRemark?
    let elsewhereNote: String?

    init(_ entry: FlagEntry, _ view: borrowing CatalogueView, wanted: String?, form: FlagForm?) {
        let providers = view.catalogue.providers
        let status = view.status
        environments = view.environments
        // While the cause may pass, the form stays, to save again in one step.
        let repeats = form?.mayBeRepeated == true ? form?.provider : nil
        let writable = providers.filter { provider in
            provider.takesChanges(of: entry.key)
                && (provider.name == repeats
                    || !status.unreadable.contains(provider.name) && !status.unwritable.contains(provider.name))
        }.map(\.name)
        self.writable = writable
        // Another environment is changed only on request, and no other provider in its place.
        let usual = providers.lazy.filter { writable.contains($0.name) }.usual?.name
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
                    "It can’t be unlocked now. \(block)"
                } else if LockForm(entry, in: view) != nil {
                    "You can unlock it below."
                } else if view.status.isDefinedElsewhere {
                    "Unlock it on the server that defines the flags."
                } else {
                    "Ask an admin."
                }
            return PageRemark(
                heading: "Locked",
                advice: "An admin must unlock it before it can be changed. \(lifting)")
        }
        if let remark = looking(view) { return remark }
        // A banner on each page gives the cause.
        if view.status.block != nil, !isRepeated {
            return PageRemark(heading: "Editing is unavailable", advice: "See the message at the top of the page.")
        }
        guard target == nil else { return nil }
        if let closed { return closed }
        let waiting = view.catalogue.providers.filter { $0.isAsked && $0.takesChanges(of: entry.key) }.map(\.name)
        guard waiting.isEmpty else {
            return PageRemark(
                heading: "Editing is unavailable",
                advice:
                    "\(waiting.joined(separator: ", ")) can’t be read or written. See the message at the top of the "
                    + "page.")
        }
        return view.catalogue.providers.contains(where: \.isWritable) ? noneRead : noneWritable
    }

    /// The reason that this person can't change any value; `nil` if a banner gives it.
    static func unannouncedRefusal(in view: CatalogueView) -> PageRemark? {
        if let remark = looking(view) { return remark }
        let isSaid = view.status.block != nil || view.catalogue.providers.contains(where: \.isWritable)
        return isSaid ? nil : noneWritable
    }

    private static func closed(_ provider: ProviderSummary, _ status: ServiceStatus) -> PageRemark {
        let isBarred = status.unreadable.contains(provider.name) || status.unwritable.contains(provider.name)
        return PageRemark(
            heading: "\(provider.name) can’t be edited",
            advice: isBarred && provider.isWritable
                ? "Its file can’t be read or written. Repair it first." : "It is read-only.")
    }

    private static func looking(_ view: CatalogueView) -> PageRemark? {
        guard let person = view.visitor?.person, person.role == .viewer else { return nil }
        return PageRemark(
            heading: "View only",
            advice: "You’re signed in as \(person.name) (viewer). Ask an admin for editor access to make changes.")
    }

    private static let noneWritable = PageRemark(
        heading: "All providers are read-only",
        advice: "Start Flagboard with a writable provider to edit values.")

    private static let noneRead = PageRemark(
        heading: "This flag can’t be changed here",
        advice: "The app doesn’t read it from any writable provider.")

    private static func note(
        _ wanted: String?, _ providers: [ProviderSummary], _ chosen: String?, of key: FlagKeyPath
    ) -> String? {
        guard let wanted, let chosen, wanted != chosen else { return nil }
        let cause =
            if let provider = providers.first(where: { $0.name == wanted }) {
                if !provider.isRead(for: key) {
                    "The app doesn’t read this flag from \(wanted)"
                } else {
                    provider.isWritable ? "\(wanted) can’t be written right now" : "\(wanted) is read-only"
                }
            } else {
                "No provider is named \(ShownValue(.string(wanted)).inSentence)"
            }
        return "\(cause), so this form edits \(chosen)."
    }
}

enum EffectiveNote {
    /// `nil` if the provider's value becomes effective, as expected.
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
                ? "The app computes the value and uses this one only if it computes none."
                : "The app then computes the default."
        }
        guard let value = then.effectiveValue else { return "The flag will have no value." }
        let verb = value == entry.resolution.effectiveValue ? "stays" : "becomes"
        return "The value in use \(verb) \(ShownValue(value, limit: 60).inSentence) (\(then.source.words))."
    }
}
