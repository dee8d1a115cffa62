import FeatureFlags
import FlagChanges

struct DefinitionPage: PageModel {
    static let template = "definition"

    enum Deed: String {
        case save, rename, retire, restore, delete
    }

    let frame: PageFrame
    let heading: String
    let isNew: Bool
    /// `nil` for a new flag.
    let key: String?
    /// `nil` for a new flag.
    let keyText: String?
    let flagHref: String
    let action: String
    let revision: String
    /// The page's other forms have notes of their own.
    let notSaved: String?
    let wrongPlaces: [TextLink]
    let original: Original?
    /// `nil` for a new flag.
    let copyHref: String?
    /// The main fields, or a new flag's essential ones.
    let sections: [DefinitionSection]
    let asides: [DefinitionSection]
    let options: [DefinitionSection]
    /// A folded field has content or a problem.
    let isMoreOpen: Bool
    let reason: String
    let reasonLimit: Int
    let isReasonRequired: Bool
    let confirmation: ChangeDemand.Confirmation?
    /// Set if another person changed the definition meanwhile.
    let differences: [Difference]
    let rename: RenameForm?
    let retirement: RetirementForm?
    let removal: RemovalForm?

    struct Original: Hashable, PagePart {
        let key: String
        let keyText: String
        let href: String

        init(_ key: FlagKeyPath) {
            self.key = key.text
            keyText = key.shownText
            href = PageLink.flag(key)
        }
    }

    /// A field whose input differs from the current manifest.
    struct Difference: Hashable, PagePart {
        let label: String
        let theirs: String
        let yours: String
    }

    struct RenameForm: Hashable, PagePart {
        let key: String
        let isKeyWrong: Bool
        let reason: String
        let isReasonRequired: Bool
        let confirmation: ChangeDemand.Confirmation?
        let problem: String?
        /// What moves along, or the reason that the flag can't be renamed.
        let note: String
        let isPossible: Bool
    }

    struct RetirementForm: Hashable, PagePart {
        let isRetired: Bool
        let reason: String
        let confirmation: ChangeDemand.Confirmation?
        let problem: String?
    }

    struct RemovalForm: Hashable, PagePart {
        let key: String
        let typed: String
        let isTypedWrong: Bool
        let reason: String
        let isReasonRequired: Bool
        let offersKeeping: Bool
        let keepsValues: Bool
        let confirmation: ChangeDemand.Confirmation?
        let problem: String?
        let note: String
    }

    struct Refused {
        let deed: Deed
        let fields: FormFields
        let problem: String
        var keyProblem: String?
        var refusal: ChangeError.Reason?

        /// False for an environment's rules, which have fields of their own.
        var isOfKey: Bool { refusal?.isOfEnvironment != true }
    }

    init(frame: PageFrame, new form: DefinitionForm, in view: CatalogueView) {
        self.frame = frame.titled(form.problem == nil ? "New flag" : "Not saved: New flag", in: .flags)
        heading = "New flag"
        isNew = true
        key = nil
        keyText = nil
        flagHref = PageLink.flags
        action = PageLink.newDefinition
        revision = ""
        notSaved = form.problem
        original = form.original.flatMap { FlagKeyPath(text: $0) }.map(Original.init)
        copyHref = nil
        sections = [DefinitionSection.essentials(form)]
        asides = [DefinitionSection.ownership(form)]
        options = DefinitionSection.options(form)
        isMoreOpen = options.flatMap(\.fields).contains { $0.isInUse(form) }
        wrongPlaces = Self.wrongPlaces(sections + asides + options)
        reason = form.reason
        reasonLimit = Change.longestReason
        let demand = ChangeDemand(
            view.environments, changing: [nil], sent: form.confirmation, refusal: form.refusal)
        (isReasonRequired, confirmation) = (demand.isReasonRequired, demand.confirmation)
        differences = []
        rename = nil
        retirement = nil
        removal = nil
    }

    /// `form` is a refused one, to correct.
    init(
        frame: PageFrame, stored: StoredDefinition, entry: FlagEntry, in view: CatalogueView,
        form: DefinitionForm? = nil, isConflict: Bool = false, refused: Refused? = nil
    ) {
        let definition = stored.definition
        let name = definition.shownName
        let now = DefinitionForm(definition)
        let title = "Edit \(name)"
        let isRefused = form?.problem != nil || refused != nil
        self.frame = frame.titled(isRefused ? "Not saved: \(title)" : title, in: .flags)
        heading = title
        isNew = false
        key = entry.key.text
        keyText = entry.key.shownText
        flagHref = PageLink.flag(entry.key)
        action = PageLink.definition(entry.key)
        revision = stored.revision.rawValue
        notSaved = form?.problem
        original = nil
        copyHref = PageLink.newDefinition(copying: entry.key)
        sections = DefinitionSection.main(form ?? now)
        asides = DefinitionSection.aside(form ?? now)
        options = [DefinitionSection.rules(form ?? now)]
        isMoreOpen = false
        wrongPlaces = Self.wrongPlaces(sections + asides + options)
        reason = form?.reason ?? ""
        reasonLimit = Change.longestReason
        let demand = ChangeDemand(
            view.environments, changing: [nil], sent: form?.confirmation ?? .none, refusal: form?.refusal)
        (isReasonRequired, confirmation) = (demand.isReasonRequired, demand.confirmation)
        func demanded(for deeds: [Deed], _ field: String, changing providers: [String] = []) -> ChangeDemand {
            let sent = refused.flatMap { deeds.contains($0.deed) ? $0 : nil }
            return ChangeDemand(
                view.environments, changing: [nil] + providers, field: field,
                sent: sent.map { SentConfirmation($0.fields) } ?? .none, refusal: sent?.refusal)
        }
        differences = isConflict ? form.map { Self.differences($0, now) } ?? [] : []
        let held = Self.held(entry)
        let fixed = held.filter { name in view.catalogue.providers.contains { $0.name == name && !$0.isWritable } }
        let renaming = demanded(for: [.rename], "rename-confirm", changing: held)
        let removing = demanded(for: [.delete], "delete-confirm", changing: held.filter { !fixed.contains($0) })
        rename = RenameForm(
            key: refused?.deed == .rename ? refused?.fields["newKey"] ?? "" : entry.key.text,
            isKeyWrong: refused?.deed == .rename && refused?.isOfKey == true,
            reason: refused?.deed == .rename ? refused?.fields["reason"] ?? "" : "",
            isReasonRequired: renaming.isReasonRequired, confirmation: renaming.confirmation,
            problem: refused?.deed == .rename ? refused?.keyProblem ?? refused?.problem : nil,
            note: Self.renameNote(held, fixed: fixed), isPossible: fixed.isEmpty)
        retirement = RetirementForm(
            isRetired: definition.metadata.retired != nil,
            reason: refused?.deed == .retire
                ? refused?.fields["retired"] ?? "" : definition.metadata.retired ?? "",
            confirmation: demanded(for: [.retire, .restore], "retire-confirm").confirmation,
            problem: refused?.deed == .retire || refused?.deed == .restore ? refused?.problem : nil)
        removal = RemovalForm(
            key: entry.key.text, typed: refused?.deed == .delete ? refused?.fields["confirmation"] ?? "" : "",
            isTypedWrong: refused?.deed == .delete && refused?.isOfKey == true,
            reason: refused?.deed == .delete ? refused?.fields["reason"] ?? "" : "",
            isReasonRequired: removing.isReasonRequired,
            offersKeeping: !held.isEmpty,
            keepsValues: refused?.deed == .delete ? refused?.fields["keepValues"] != nil : !fixed.isEmpty,
            confirmation: removing.confirmation,
            problem: refused?.deed == .delete ? refused?.problem : nil, note: Self.removalNote(held, fixed: fixed))
    }

    private static func wrongPlaces(_ sections: [DefinitionSection]) -> [TextLink] {
        sections.flatMap(\.fields).filter { $0.problem != nil }.map { TextLink(label: $0.label, href: "#\($0.id)") }
    }

    private static func renameNote(_ held: [String], fixed: [String]) -> String {
        guard fixed.isEmpty else {
            return
                "Can’t rename this flag: it has a value in \(fixed.joined(separator: " and ")), which can’t be changed here. "
                + "Remove it there first."
        }
        let moved =
            held.isEmpty ? "the definition" : "the definition and the values in \(held.joined(separator: " and "))"
        return "Moves \(moved). Update your code to use the new key path."
    }

    private static func removalNote(_ held: [String], fixed: [String]) -> String {
        if held.isEmpty { return "No stored values." }
        let values =
            "Also deletes the values in \(held.joined(separator: " and ")). Kept values appear as a flag without a definition."
        guard !fixed.isEmpty else { return values }
        return
            "\(values) Values in \(fixed.joined(separator: " and ")) can’t be deleted here (read-only). "
            + "Leave “Keep stored values” selected."
    }

    /// The providers that hold anything for the flag, broken values included.
    private static func held(_ entry: FlagEntry) -> [String] {
        entry.resolution.readings.filter { $0.answer != .absent }.map(\.provider)
    }

    private static func differences(_ yours: DefinitionForm, _ theirs: DefinitionForm) -> [Difference] {
        DefinitionSection.all(theirs).flatMap(\.fields).compactMap { field in
            func text(_ form: DefinitionForm) -> String {
                if field.box != nil { return form.isChecked(field.name) ? "yes" : "no" }
                return form[field.name].isEmpty ? "empty" : form[field.name]
            }
            let (mine, other) = (text(yours), text(theirs))
            return mine == other ? nil : Difference(label: field.label, theirs: other, yours: mine)
        }
    }
}

extension FlagCatalogue {
    /// Notes the conflict of a new flag with a visible one.
    ///
    /// More precise than the service's error, which must not reveal hidden flags.
    func fileProblem(toDefining key: FlagKeyPath) -> String? {
        if let same = defined(key) {
            return "Already used by \(same.definition.shownName)."
        }
        if let around = key.ancestors.lazy.compactMap(defined).first {
            return "\(around.key.shownText) is a flag, not a group. Choose another key path."
        }
        guard entries.contains(where: { $0.isDefined && $0.key.ancestors.contains(key) }) else { return nil }
        return
            "\(key.shownText) is a group. Add a name, for example \(key.appending("new_flag").shownText)."
    }

    private func defined(_ key: FlagKeyPath) -> FlagEntry? {
        self[key].flatMap { $0.isDefined ? $0 : nil }
    }
}
