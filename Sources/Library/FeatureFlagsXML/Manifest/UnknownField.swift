import FeatureFlags

/// A field of a manifest that Flagboard does not know: it is kept, and has no effect.
///
/// ```swift
/// let manifest = try manager.manifest()
/// for field in manifest.unknownFields {
///     print(field.name, field.advice ?? "is kept and has no effect")
/// }
/// ```
///
/// It may be a misspelling: a flag whose definition has `islocked` is not locked.
public struct UnknownField: Hashable, Sendable {
    /// The part of a manifest that a field belongs to.
    ///
    /// ```swift
    /// for case .flag(let key) in try manager.manifest().unknownFields.map(\.owner) { print(key) }
    /// ```
    public enum Owner: Hashable, Sendable {
        /// The manifest itself.
        case manifest
        /// The flag of this key path.
        case flag(FlagKeyPath)
        /// The group of this key path.
        case collection(FlagKeyPath)
    }

    /// The known field that the writer may have meant.
    ///
    /// ```swift
    /// let likely = try manager.manifest().unknownFields.compactMap(\.intention?.name)
    /// ```
    public enum Intention: Hashable, Sendable {
        /// The field of this name.
        case field(String)
        /// The field of this name, which flags have but groups don't.
        case fieldOfFlags(String)

        /// The name of the known field.
        public var name: String {
            switch self {
            case .field(let name), .fieldOfFlags(let name): name
            }
        }
    }

    /// The part of the manifest that the field belongs to.
    public let owner: Owner
    /// The field's name.
    public let name: String
    /// The likely intention, or `nil` if no known name is similar.
    public let intention: Intention?
    let path: [PathStep]

    /// The likely intention as a question or an advice, without the field's name, or `nil` without an intention.
    public var advice: String? {
        switch intention {
        case .field(let name)?: "did you mean \(name)?"
        case .fieldOfFlags(let name)?: "only flags can have \(name); add it to each flag in the group."
        case nil: nil
        }
    }
}

extension FlagManifest {
    /// The unknown fields in the order of the file, including those of internal flags.
    public var unknownFields: [UnknownField] {
        guard case .dictionary(let root) = document.root else { return [] }
        var found = UnknownField.all(in: root, of: .manifest, at: [])
        for (name, owners) in [
            ("flags", content.definitions.map { UnknownField.Owner.flag($0.key) }),
            ("collections", collections.map { UnknownField.Owner.collection($0.key) }),
        ] {
            guard case .array(let entries)? = root[name] else { continue }
            for (place, (entry, owner)) in zip(entries, owners).enumerated() {
                guard case .dictionary(let fields) = entry else { continue }
                found += UnknownField.all(in: fields, of: owner, at: [.key(name), .index(place)])
            }
        }
        if case .dictionary(let environments)? = root["environments"] {
            found += UnknownField.inEnvironments(environments)
        }
        return found
    }

    package func unknownFields(of key: FlagKeyPath) -> [UnknownField] {
        guard let place = index.places[key], case .dictionary(let fields)? = storedEntry(of: key) else { return [] }
        return UnknownField.all(in: fields, of: .flag(key), at: [.key("flags"), .index(place)])
    }

    /// Returns the place of a field in the file.
    ///
    /// - Parameter field: One of ``unknownFields``.
    /// - Returns: The place of its key, or `nil` for any other field.
    public func location(of field: UnknownField) -> SourceLocation? { document.location(of: field.path) }
}

extension UnknownField.Owner {
    var knownNames: Set<String> {
        switch self {
        case .manifest: Self.manifestNames
        case .flag: Self.flagNames
        case .collection: Self.collectionNames
        }
    }

    private static let manifestNames = names(of: .manifest)
    private static let flagNames = names(of: .flag)
    private static let collectionNames = names(of: .collection)

    private static func names(of place: ManifestField.Place) -> Set<String> { Set(place.fields.map(\.rawValue)) }

    fileprivate func intention(behind name: String, in fields: [String: FlagValue]) -> UnknownField.Intention? {
        let meant = LikelyName(name)
        if let known = meant.nearest(in: knownNames, besides: fields.keys) { return .field(known) }
        guard case .collection = self else { return nil }
        let known = meant.nearest(in: Self.flagNames.subtracting(Self.collectionNames), besides: [])
        return known.map(UnknownField.Intention.fieldOfFlags)
    }
}

extension UnknownField {
    fileprivate static func all(
        in fields: [String: FlagValue], of owner: Owner, at path: [PathStep]
    ) -> [UnknownField] {
        let known = owner.knownNames
        let names = fields.keys.filter { !known.contains($0) }
        var found = names.sorted().map { name in
            UnknownField(
                owner: owner, name: name, intention: owner.intention(behind: name, in: fields),
                path: path + [.key(name)])
        }
        if case .flag = owner { found += inSchemas(of: fields, owner, at: path, named: []) }
        return found
    }

    fileprivate static func inEnvironments(_ environments: [String: FlagValue]) -> [UnknownField] {
        let known = Set(ManifestField.Place.environment.fields.map(\.rawValue))
        return environments.sorted { $0.key < $1.key }.flatMap { name, rules -> [UnknownField] in
            guard case .dictionary(let fields) = rules else { return [] }
            return fields.keys.filter { !known.contains($0) }.sorted().map { field in
                let likely = LikelyName(field).nearest(in: known, besides: fields.keys)
                return UnknownField(
                    owner: .manifest, name: "environments/\(name)/\(field)", intention: likely.map(Intention.field),
                    path: [.key("environments"), .key(name), .key(field)])
            }
        }
    }

    private static let schemaNames = Set(ManifestField.Place.schema.fields.map(\.rawValue))

    /// Returns the unknown fields of the schemas in `items` and `properties`; their names begin with the way there.
    private static func inSchemas(
        of fields: [String: FlagValue], _ owner: Owner, at path: [PathStep], named way: [String]
    ) -> [UnknownField] {
        var schemas: [(way: [String], fields: [String: FlagValue])] = []
        if case .dictionary(let items)? = fields["items"] { schemas.append((["items"], items)) }
        if case .dictionary(let members)? = fields["properties"] {
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if case .dictionary(let member) = member { schemas.append((["properties", name], member)) }
            }
        }
        return schemas.flatMap { schema in
            let (inner, names) = (path + schema.way.map(PathStep.key), way + schema.way)
            let own = schema.fields.keys.filter { !schemaNames.contains($0) }.sorted().map { name in
                let likely = LikelyName(name).nearest(in: schemaNames, besides: schema.fields.keys)
                return UnknownField(
                    owner: owner, name: (names + [name]).joined(separator: "/"),
                    intention: likely.map(Intention.field), path: inner + [.key(name)])
            }
            return own + inSchemas(of: schema.fields, owner, at: inner, named: names)
        }
    }
}
