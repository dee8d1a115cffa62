import FeatureFlags
import FlagChanges

/// That a flag has expired, or is retired: since when or why, whose it is, and what to do next.
struct EndingNotice: Hashable, PagePart {
    /// `Expired` or `Retired`.
    let heading: String
    /// Since when, or why, and the owner, in sentences.
    let text: String
    /// What to do next, in a sentence.
    let next: String
    /// Where an admin does it.
    let link: TextLink?

    /// The notices of a flag, the gravest first.
    ///
    /// - Returns: The notices; empty for a flag that is in use.
    static func notices(_ entry: FlagEntry, in view: CatalogueView) -> [EndingNotice] {
        let metadata = entry.definition.metadata
        let owner = metadata.owner.flatMap { $0.isEmpty ? nil : $0 }
        let whose = owner.map { "Owner: \($0)." } ?? "It has no owner."
        let link =
            DefinitionLink.canDefine(view) && entry.isDefined
            ? TextLink(label: "Edit the definition", href: PageLink.definition(entry.key)) : nil
        let person = link == nil ? owner ?? "an admin" : nil
        var notices: [EndingNotice] = []
        if let expires = metadata.expires, view.isExpired(entry) {
            let day = TimeText.dayText(expires)
            notices.append(
                EndingNotice(
                    heading: "Expired",
                    text: "The flag was to be gone by \(day.contains("T") ? TimeText(expires).text : day). \(whose)",
                    next: person.map { "Next: ask \($0) to remove it, or to set a later day." }
                        ?? "Next: remove it from the code and delete it here, or set a later day.",
                    link: link))
        }
        if let reason = metadata.retired {
            let why = reason.isEmpty ? "The flag should not be used any more." : reason.asSentence
            notices.append(
                EndingNotice(
                    heading: "Retired", text: "\(why) \(whose)",
                    next: person.map { "Next: ask \($0) to remove it. Until then, the app reads its value as before." }
                        ?? "Next: remove it from the code and delete it here. Until then, the app reads its value as before.",
                    link: link))
        }
        return notices
    }
}
