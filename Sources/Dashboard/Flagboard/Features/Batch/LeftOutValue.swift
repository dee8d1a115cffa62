import FeatureFlags
import FlagChanges

/// The value of a change that is not made: what there is, and what was asked for.
struct LeftOutValue {
    let before: FlagValue?
    let asked: FlagValue?

    /// How long a value may be that travels in an address, in bytes.
    private static let longestInAddress = 2_000

    /// Tells of a change of a value; `nil` for one of a definition.
    ///
    /// - Parameter entry: The flag; `nil` where there is none.
    init?(_ preview: ChangePreview, _ entry: FlagEntry?) {
        guard let provider = preview.provider, !preview.change.action.isAboutDefinition else { return nil }
        let held = entry?.resolution[provider]?.stored
        before = held
        asked =
            entry.map { preview.change.asked($0.definition, replacing: held) }
            ?? preview.change.action.written.operand
    }

    /// Where an admin defines the flag, where there is none; `nil` for anything else that is wrong.
    func defineLink(of key: FlagKeyPath, _ refusal: ChangeError?, in view: CatalogueView) -> TextLink? {
        guard refusal?.reason == .unknown, let asked, DefinitionLink.canDefine(view) else { return nil }
        let type = FlagType(inferredFrom: asked)
        let text = FlagDefinition(key: key, type: type).editableText(of: asked)
        let fallback = text.utf8.count <= Self.longestInAddress ? text : ""
        return TextLink(label: "Define it", href: PageLink.newDefinition(of: key, type, default: fallback))
    }
}
