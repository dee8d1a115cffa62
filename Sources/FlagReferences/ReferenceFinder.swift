import FeatureFlags

/// Finds the places of flags in what files say, once all collections are known.
struct ReferenceFinder {
    /// What an expression is.
    private enum Meaning {
        /// A type.
        case type([String])
        /// A value of a type, with the places of the collection that it is.
        case value([String], [DeclaredCollections.Place])
        /// A value of a type that nothing here declares, and that therefore is no collection.
        case other
    }

    /// How many expressions may be looked up to tell one.
    private static let depth = 64

    private let collections: DeclaredCollections
    private let known: Set<FlagKeyPath>
    /// The flags that properties of a name declare, in whatever collection.
    private let properties: [String: Set<FlagKeyPath>]
    /// What was found.
    private(set) var found: [FlagKeyPath: Set<FlagReference>]

    private var types: SourceTypes { collections.types }

    /// - Parameters:
    ///   - collections: The collections.
    ///   - known: The flags that there are.
    init(collections: DeclaredCollections, known: Set<FlagKeyPath>) {
        self.collections = collections
        self.known = known
        properties = collections.properties
        found = collections.declarations
    }

    /// Finds what one file says.
    mutating func read(_ facts: SourceFacts, _ file: String) {
        for text in facts.texts {
            if let key = flag(text.text) { add(key, .key, file, text.position) }
        }
        for type in facts.types {
            let isOfCollection = types.all[Array(type.path.dropLast())]?.isCollection == true
            for constant in type.constants.values where constant.isInKeys {
                // What is generated for every flag is no use of any.
                guard let key = flag(constant.text) else { continue }
                add(key, isOfCollection ? .declaration : .key, file, constant.position)
            }
        }
        for access in facts.accesses { read(access, file) }
    }

    private mutating func read(_ access: SourceFacts.Access, _ file: String) {
        guard let base = access.base else { return readIdentifier(access, file) }
        let name = access.name.plainProperty
        switch meaning(of: base, in: access.enclosing, Self.depth) {
        case .value(let path, _) where types.all[path]?.isProtocol == true && !access.isCalled:
            // A collection may conform to it.
            for key in properties[name] ?? [] { add(key, .possible, file, access.position) }
        case .value(_, let places):
            for key in collections.keys(of: access.name, at: places) ?? collections.keys(of: name, at: places) ?? [] {
                add(key, .property, file, access.position)
            }
        case .type(let path):
            if let key = types.all[path]?.constants[access.name].flatMap({ flag($0.text) }) {
                add(key, .key, file, access.position)
            }
        case .other: return
        case nil:
            // No flag is a function.
            guard !access.isCalled else { return }
            for key in properties[name] ?? [] { add(key, .possible, file, access.position) }
        }
    }

    /// An identifier by itself is a property of a type around it, or a constant.
    private mutating func readIdentifier(_ access: SourceFacts.Access, _ file: String) {
        for count in stride(from: access.enclosing.count, through: 0, by: -1) {
            let path = Array(access.enclosing.prefix(count))
            guard let type = types.all[path] else { continue }
            if let text = type.constants[access.name]?.text {
                if let key = flag(text) { add(key, .key, file, access.position) }
                return
            }
            if types.member(access.name, of: path) != nil { return }
            let places = collections.places[path] ?? []
            let keys =
                collections.keys(of: access.name, at: places)
                ?? collections.keys(of: access.name.plainProperty, at: places)
            if let keys {
                for key in keys { add(key, .property, file, access.position) }
                return
            }
        }
    }

    private func flag(_ text: String) -> FlagKeyPath? {
        FlagKeyPath(text: text).flatMap { known.contains($0) ? $0 : nil }
    }

    private mutating func add(
        _ key: FlagKeyPath, _ kind: FlagReference.Kind, _ file: String, _ position: SourcePosition
    ) {
        found[key, default: []].insert(FlagReference(file: file, position: position, kind: kind))
    }

    // MARK: What expressions are

    private func meaning(of expression: SourceExpression, in enclosing: [String], _ depth: Int) -> Meaning? {
        guard depth > 0 else { return nil }
        switch expression {
        case .unknown, .literal: return nil
        case .current: return enclosing.isEmpty ? nil : value(enclosing)
        case .name(let name): return meaning(ofName: name, in: enclosing, depth - 1)
        case .type(let name): return types.valuePath(of: name, in: enclosing).map { .type($0) }
        case .value(let name): return types.valuePath(of: name, in: enclosing).map { value($0) } ?? .other
        case .member(let base, let name):
            if let base = meaning(of: base, in: enclosing, depth - 1) { return meaning(of: name, in: base, depth - 1) }
            // The first name may be that of a module.
            return expression.typeName.flatMap { types.path(of: $0, in: enclosing) }.map { .type($0) }
        case .call(let callee, let given):
            for type in given {
                if case .type(let path)? = meaning(of: type, in: enclosing, depth - 1),
                    types.all[path]?.isCollection == true
                {
                    return value(path)
                }
            }
            switch meaning(of: callee, in: enclosing, depth - 1) {
            case .type(let path): return value(path)
            case let other: return other
            }
        case .first(let choices):
            return choices.lazy.compactMap { meaning(of: $0, in: enclosing, depth - 1) }.first
        }
    }

    private func value(_ path: [String]) -> Meaning { .value(path, collections.places[path] ?? []) }

    private func meaning(ofName name: String, in enclosing: [String], _ depth: Int) -> Meaning? {
        for count in stride(from: enclosing.count, through: 0, by: -1) {
            let path = Array(enclosing.prefix(count))
            if let (member, declarer) = types.member(name, of: path) { return meaning(of: member, in: declarer, depth) }
            if count > 0, let group = collections.group(name.plainProperty, at: collections.places[path] ?? []) {
                return group.first.map { .value($0.type, group) }
            }
        }
        return types.path(of: SourceTypeName(path: [name]), in: enclosing).map { .type($0) }
    }

    private func meaning(of name: String, in base: Meaning, _ depth: Int) -> Meaning? {
        switch base {
        case .type(let path):
            if ["self", "init"].contains(name) { return base }
            if let inner = types.step(name, from: path) { return .type(inner) }
            return types.member(name, of: path).flatMap { meaning(of: $0.0, in: $0.in, depth) }
        case .value(let path, let places):
            if ["self", "wrappedValue", "projectedValue"].contains(name) { return base }
            if let group = collections.group(name.plainProperty, at: places) {
                return group.first.map { .value($0.type, group) }
            }
            return types.member(name, of: path).flatMap { meaning(of: $0.0, in: $0.in, depth) }
        case .other: return nil
        }
    }
}

extension String {
    /// The property that a name is of: `$newFlow` is the projection of `newFlow`, and `_newFlow` its wrapper.
    fileprivate var plainProperty: String { hasPrefix("$") || hasPrefix("_") ? String(dropFirst()) : self }
}
