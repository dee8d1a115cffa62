import FeatureFlags
import FeatureFlagsXML
import FlagChanges

extension PageNotice {
    /// How many fields a notice names.
    private static let namedFields = 5

    /// Says which fields of the definitions have no effect though they were likely meant to.
    ///
    /// - Returns: The notice; `nil` where there are no such fields.
    static func mistakenFields(_ catalogue: FlagCatalogue) -> PageNotice? {
        let fields = catalogue.mistakenFields
        guard !fields.isEmpty else { return nil }
        let count = fields.count == 1 ? "1 field" : "\(fields.count) fields"
        let named = fields.prefix(namedFields).map { "\($0.owner.shownWords)\($0.words)" }.joined(separator: " ")
        let rest = fields.count > namedFields ? " And \(fields.count - namedFields) more." : ""
        return PageNotice("warning", "\(count) of the manifest without effect.", "\(named)\(rest)")
    }
}

extension UnknownField {
    /// The field and what is likely meant, as a sentence.
    fileprivate var words: String { "\(name): \(advice ?? "it is kept as it is.")" }
}

extension UnknownField.Owner {
    /// What comes before the field's name in a sentence, as it is shown.
    fileprivate var shownWords: String {
        switch self {
        case .manifest: ""
        case .flag(let key): "\(key.shownText), "
        case .collection(let key): "the group \(key.shownText), "
        }
    }
}

extension PageRemark {
    /// Says which fields of a flag's definition have no effect though they were likely meant to; `nil` where none.
    static func mistakenFields(_ entry: FlagEntry) -> PageRemark? {
        let fields = entry.unknownFields.filter { $0.intention != nil }
        guard !fields.isEmpty else { return nil }
        let isOne = fields.count == 1
        return PageRemark(
            heading: isOne ? "A field of the definition has no effect" : "Fields of the definition have no effect",
            advice: fields.map(\.words).joined(separator: " ")
                + " Correct \(isOne ? "it" : "them") in the manifest. Until then, Flagboard passes \(isOne ? "it" : "them") over."
        )
    }
}

extension FlagFact {
    /// The fields of a flag's definition that are its author's own; `nil` where there are none.
    static func ownFields(of entry: FlagEntry) -> FlagFact? {
        let names = entry.unknownFields.filter { $0.intention == nil }.map(\.name)
        guard !names.isEmpty else { return nil }
        return FlagFact("Other fields", "\(names.joined(separator: ", ")) (kept as they are, without effect here)")
    }
}
