import FeatureFlags

/// The `flags.json` of the OpenFeature CLI (`schema/v0/flag-manifest.json` of `open-feature/cli`).
///
/// Types are those of the OpenFeature Remote Evaluation Protocol.
struct OpenFeatureManifest {
    /// `{"$schema": …, "flags": {…}}`.
    let document: JSONValue
    /// Flags that `flags.json` can't have, each with the reason.
    let leftOut: [(key: String, reason: String)]

    private static let schema = "https://raw.githubusercontent.com/open-feature/cli/main/schema/v0/flag-manifest.json"

    init(_ manifest: JSONValue) {
        var (flags, leftOut): ([String: JSONValue], [(key: String, reason: String)]) = ([:], [])
        for flag in manifest["flags"]?.items ?? [] {
            guard let key = flag["key"]?.text else { continue }
            if let entry = Self.flag(flag) {
                flags[key] = entry
            } else {
                let hasDefault = flag["default"] != nil
                leftOut.append((key, hasDefault ? "flags.json can't represent its default" : "it has no default"))
            }
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

    /// Returns the definitions by key, as a batch of the API takes them.
    ///
    /// An object may hold any JSON, and so may its flag.
    static func definitions(in json: JSONValue) throws(CommandRefusal) -> [(key: String, definition: JSONValue)] {
        guard case .object(let flags)? = json["flags"] else {
            throw CommandRefusal(
                "This is not an OpenFeature CLI manifest: it has no \"flags\" object. Choose a flags.json.")
        }
        var definitions: [(key: String, definition: JSONValue)] = []
        for (key, flag) in flags.sorted(by: { $0.key < $1.key }) {
            guard FlagKeyPath(text: key) != nil else {
                throw CommandRefusal(
                    "\(Terminal.line(key)) is not a valid key path. Join up to \(FlagKeyPath.maximumCount) parts with "
                        + "/, and write ~ as ~0.")
            }
            guard let type = flag["flagType"]?.text.flatMap({ types[$0] }) else {
                let known = types.keys.sorted().joined(separator: ", ")
                throw CommandRefusal("\(Terminal.line(key)) needs a flagType: \(known).")
            }
            var members = ["type": JSONValue.text(type.rawValue)]
            members["default"] = flag["defaultValue"]
            members["description"] = flag["description"]
            // A property list has null only in JSON stored as data.
            if flag["defaultValue"]?.holdsNull == true { members["storage"] = .text("data") }
            definitions.append((key, .object(members)))
        }
        return definitions
    }

    private static let types: [String: FlagType] = [
        "boolean": .bool, "integer": .integer, "float": .double, "string": .string, "object": .json,
    ]

    /// Returns the protocol's type of a default; `nil` if there is none.
    private static func flagType(of value: JSONValue, _ type: FlagType) -> String? {
        switch value {
        case .scalar(.integer) where type.rules.isFractional: "float"
        case .scalar(.double): "float"
        // JSON has no form for these numbers.
        case .scalar(.string) where type.rules.hasBounds: nil
        case .scalar(.bool): "boolean"
        case .scalar(.integer): "integer"
        case .scalar(.string): "string"
        case .array, .object: "object"
        default: nil
        }
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String) -> Self { .scalar(.string(text)) }

    fileprivate var holdsNull: Bool {
        switch self {
        case .null: true
        case .array(let items): items.contains(where: \.holdsNull)
        case .object(let members): members.values.contains(where: \.holdsNull)
        default: false
        }
    }
}
