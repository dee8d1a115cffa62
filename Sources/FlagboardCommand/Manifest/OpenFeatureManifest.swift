import FeatureFlags

/// The definitions as the OpenFeature CLI keeps them in `flags.json`: a type, a default and a description for each flag
/// (`schema/v0/flag-manifest.json` of `open-feature/cli`).
///
/// The types are those that the flags have over the OpenFeature Remote Evaluation Protocol.
struct OpenFeatureManifest {
    /// `{"$schema": …, "flags": {…}}`.
    let document: JSONValue
    /// The flags that it can't tell of: they have no default, or one that JSON has no form for.
    let leftOut: [String]

    private static let schema = "https://raw.githubusercontent.com/open-feature/cli/main/schema/v0/flag-manifest.json"

    /// Tells of the flags of a manifest.
    ///
    /// - Parameter manifest: The manifest as Flagboard exports it in JSON.
    init(_ manifest: JSONValue) {
        var (flags, leftOut): ([String: JSONValue], [String]) = ([:], [])
        for flag in manifest["flags"]?.items ?? [] {
            guard let key = flag["key"]?.text else { continue }
            if let told = Self.flag(flag) { flags[key] = told } else { leftOut.append(key) }
        }
        document = .object(["$schema": .text(Self.schema), "flags": .object(flags)])
        self.leftOut = leftOut
    }

    private static func flag(_ flag: JSONValue) -> JSONValue? {
        guard let value = flag["default"], let type = flag["type"]?.text.flatMap(FlagType.init(rawValue:)),
            let flagType = flagType(of: value, type)
        else { return nil }
        var members: [String: JSONValue] = ["flagType": .text(flagType)]
        // A client gets an array as the items of an object.
        members["defaultValue"] = value.items == nil ? value : .object(["items": value])
        members["description"] = flag["description"]
        return .object(members)
    }

    /// The protocol's type of a default; `nil` where it has none.
    private static func flagType(of value: JSONValue, _ type: FlagType) -> String? {
        switch (value, type) {
        case (.scalar(.integer), .double), (.scalar(.double), _): "float"
        // What JSON has no number for.
        case (.scalar(.string), .integer), (.scalar(.string), .double): nil
        case (.scalar(.bool), _): "boolean"
        case (.scalar(.integer), _): "integer"
        case (.scalar(.string), _): "string"
        case (.array, _), (.object, _): "object"
        default: nil
        }
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String) -> Self { .scalar(.string(text)) }
}
