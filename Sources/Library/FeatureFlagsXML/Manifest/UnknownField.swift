import FeatureFlags

/// A field of a manifest that Flagboard does not know: it is kept as it is, and has no effect.
///
/// ```swift
/// let manifest = try manager.manifest()
/// for field in manifest.unknownFields {
///     print(field.name, field.advice ?? "is kept and has no effect")
/// }
/// ```
///
/// Its writer may have meant one that Flagboard knows: a flag whose definition says `islocked` is open.
public struct UnknownField: Hashable, Sendable {
    /// What the field is of.
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

    /// What the writer of the field may have meant.
    ///
    /// ```swift
    /// let likely = try manager.manifest().unknownFields.compactMap(\.intention?.name)
    /// ```
    public enum Intention: Hashable, Sendable {
        /// The field of this name.
        case field(String)
        /// The field of this name, which only a flag has, and the field is of a group.
        case fieldOfFlags(String)

        /// The name of that field.
        public var name: String {
            switch self {
            case .field(let name), .fieldOfFlags(let name): name
            }
        }
    }

    /// What the field is of.
    public let owner: Owner
    /// Its name.
    public let name: String
    /// What is likely meant; `nil` where the name is like none, so that the field is one of the writer's own.
    public let intention: Intention?
    /// Where it stands in the manifest.
    let path: [PathStep]

    /// What is likely meant, as a question or an advice, without the field itself; `nil` where nothing is.
    public var advice: String? {
        switch intention {
        case .field(let name)?: "did you mean \(name)?"
        case .fieldOfFlags(let name)?: "only a flag has \(name): give it to each flag of the group."
        case nil: nil
        }
    }
}

extension FlagManifest {
    /// The fields that are unknown here, in the file's order; internal flags' are among them.
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
        return found
    }

    /// The fields of a flag's entry that are unknown here.
    ///
    /// - Parameter key: The flag.
    /// - Returns: The fields, by their names; none where the flag is not defined.
    package func unknownFields(of key: FlagKeyPath) -> [UnknownField] {
        guard let place = index.places[key], case .dictionary(let fields)? = storedEntry(of: key) else { return [] }
        return UnknownField.all(in: fields, of: .flag(key), at: [.key("flags"), .index(place)])
    }

    /// Where a field stands in the file.
    ///
    /// - Parameter field: One of ``unknownFields``.
    /// - Returns: The place of its key; `nil` where it is none of them.
    public func location(of field: UnknownField) -> SourceLocation? { document.location(of: field.path) }
}

extension UnknownField.Owner {
    /// The names of all fields that such an entry may have.
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
        return names.sorted().map { name in
            UnknownField(
                owner: owner, name: name, intention: owner.intention(behind: name, in: fields),
                path: path + [.key(name)])
        }
    }
}
