import FeatureFlags

/// Finds the places of flags in what files say, once all collections are known.
struct ReferenceFinder {
    /// What an expression is.
    private enum Meaning {
        /// A type.
        case type([String])
        /// A value of a type, with the places of the collection that it is.
        case value([String], [DeclaredCollections.Place])
        /// A collection that nothing here declares, or a group of one.
        case undeclared
        /// A value of a type that nothing here declares, and that therefore is no collection.
        case other
    }

    /// What is asked: what an expression means within types.
    private struct Question: Hashable {
        let expression: SourceExpression
        let enclosing: [String]
    }

    /// How many expressions may be looked up one within the other to tell one.
    private static let depth = 64
    /// How many expressions may be looked up to tell one: names stand for one another in great number.
    private static let maximumSteps = 1_000

    private let collections: DeclaredCollections
    private let known: Set<FlagKeyPath>
    /// The flags that properties of a name declare, in whatever collection.
    private let properties: [String: Set<FlagKeyPath>]
    /// The names of the properties that declare groups, of whatever collection.
    private let groups: Set<String>
    /// The flags that nothing here declares.
    private var undeclared: FlagNames
    /// What was told of the file that is read now.
    private var meanings: [Question: Meaning?] = [:]
    private var steps = 0
    /// What was found.
    private(set) var found: [FlagKeyPath: Set<FlagReference>]

    private var types: SourceTypes { collections.types }

    /// - Parameters:
    ///   - collections: The collections.
    ///   - known: The flags that there are.
    ///   - undeclared: Those that nothing here declares.
    init(collections: DeclaredCollections, known: Set<FlagKeyPath>, undeclared: FlagNames) {
        self.collections = collections
        self.known = known
        properties = collections.properties
        groups = Set(collections.types.all.values.flatMap { $0.groups.map(\.group.property) })
        self.undeclared = undeclared
        found = collections.declarations
    }

    /// Finds what one file says.
    mutating func read(
        _ facts: SourceFacts, _ file: String, _ checkStop: () throws(CancellationError) -> Void
    ) throws(CancellationError) {
        meanings = [:]
        for text in facts.texts {
            if let key = flag(text.text) { add(key, .key, file, text.position, text.lines) }
        }
        for type in facts.types {
            let isOfCollection = types.all[Array(type.path.dropLast())]?.isCollection == true
            for constant in type.constants.values where constant.isInKeys {
                // What is generated for every flag is no use of any.
                guard let key = flag(constant.text) else { continue }
                add(key, isOfCollection ? .declaration : .key, file, constant.position, constant.lines)
            }
        }
        for mention in facts.mentions {
            // What a decoder finds is a use of no other flag than one that is declared here besides.
            guard let key = mention.coded.flatMap(flag), collections.keys.contains(key) else { continue }
            add(key, .key, file, mention.position)
        }
        for access in facts.accesses {
            try checkStop()
            read(access, in: facts.types[access.place].path, file)
        }
    }

    private mutating func read(_ access: SourceFacts.Access, in enclosing: [String], _ file: String) {
        guard let base = access.base else { return readIdentifier(access, in: enclosing, file) }
        let name = access.name.plainProperty
        switch meaning(of: base, in: enclosing) {
        case .value(let path, let places):
            if let keys = collections.keys(of: access.name, at: places) ?? collections.keys(of: name, at: places) {
                for key in keys { add(key, .property, file, access.position) }
            } else if types.isOpen(path) {
                addPossible(access, file)
            }
        case .type(let path):
            if let key = types.all[path]?.constants[access.name].flatMap({ flag($0.text) }) {
                add(key, .key, file, access.position)
            }
        case .undeclared:
            for key in undeclared.keys(of: name) where !access.isCalled {
                add(key, .possible, file, access.position)
            }
        case .other: return
        case nil: addPossible(access, file)
        }
    }

    /// The use may be that of any flag whose property has the name.
    private mutating func addPossible(_ access: SourceFacts.Access, _ file: String) {
        // No flag is a function.
        guard !access.isCalled else { return }
        for key in properties[access.name] ?? properties[access.name.plainProperty] ?? [] {
            add(key, .possible, file, access.position)
        }
    }

    /// An identifier by itself is a property of a type around it, or a constant.
    private mutating func readIdentifier(_ access: SourceFacts.Access, in enclosing: [String], _ file: String) {
        for count in stride(from: enclosing.count, through: 0, by: -1) {
            let path = Array(enclosing.prefix(count))
            guard let type = types.all[path] else { continue }
            if let text = type.constants[access.name]?.text {
                if let key = flag(text) { add(key, .key, file, access.position) }
                return
            }
            let places = collections.places[path] ?? []
            let keys =
                collections.keys(of: access.name, at: places)
                ?? collections.keys(of: access.name.plainProperty, at: places)
            if let keys {
                for key in keys { add(key, .property, file, access.position) }
                return
            }
            let isOpen = count > 0 && types.isOpen(path)
            if let (_, declarer) = types.member(access.name, of: path) {
                // What a protocol requires may be the property of a collection that conforms to it.
                if isOpen, types.all[declarer]?.isProtocol == true { addPossible(access, file) }
                return
            }
            if isOpen { addPossible(access, file) }
        }
    }

    private func flag(_ text: String) -> FlagKeyPath? {
        FlagKeyPath(text: text).flatMap { known.contains($0) ? $0 : nil }
    }

    private mutating func add(
        _ key: FlagKeyPath, _ kind: FlagReference.Kind, _ file: String, _ position: SourcePosition,
        _ lines: ClosedRange<Int>? = nil
    ) {
        found[key, default: []].insert(
            FlagReference(file: file, position: position, kind: kind, lines: lines ?? position.line...position.line))
    }

    // MARK: What expressions are

    private mutating func meaning(of expression: SourceExpression, in enclosing: [String]) -> Meaning? {
        let question = Question(expression: expression, enclosing: enclosing)
        if let known = meanings[question] { return known }
        steps = Self.maximumSteps
        let found = meaning(of: expression, in: enclosing, Self.depth)
        meanings.updateValue(found, forKey: question)
        return found
    }

    private mutating func meaning(of expression: SourceExpression, in enclosing: [String], _ depth: Int) -> Meaning? {
        guard depth > 0, steps > 0 else { return nil }
        steps -= 1
        switch expression {
        case .unknown, .literal: return nil
        case .current: return enclosing.isEmpty ? nil : value(enclosing)
        case .name(let name): return meaning(ofName: name, in: enclosing, depth - 1)
        case .type(let name):
            return if case .path(let path) = types.value(of: name, in: enclosing) { .type(path) } else { nil }
        case .value(let name):
            return switch types.value(of: name, in: enclosing) {
            case .path(let path): value(path)
            case .open: nil
            case .undeclared: .undeclared
            case .foreign: .other
            }
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
            if case .member(_, "addCollection") = callee, !given.isEmpty { return .undeclared }
            switch meaning(of: callee, in: enclosing, depth - 1) {
            case .type(let path): return value(path)
            case let other: return other
            }
        case .first(let choices):
            for choice in choices {
                if let told = meaning(of: choice, in: enclosing, depth - 1) { return told }
            }
            return nil
        case .guess(let choices):
            for choice in choices {
                if case .value(let path, let places)? = meaning(of: choice, in: enclosing, depth - 1),
                    types.all[path]?.isCollection == true
                {
                    return .value(path, places)
                }
            }
            return nil
        }
    }

    private func value(_ path: [String]) -> Meaning { .value(path, collections.places[path] ?? []) }

    private mutating func meaning(ofName name: String, in enclosing: [String], _ depth: Int) -> Meaning? {
        for count in stride(from: enclosing.count, through: 0, by: -1) {
            let path = Array(enclosing.prefix(count))
            if count > 0, let group = collections.group(name.plainProperty, at: collections.places[path] ?? []) {
                return group.first.map { .value($0.type, group) }
            }
            if let (member, declarer) = types.member(name, of: path) { return meaning(of: member, in: declarer, depth) }
            if count > 0, groups.contains(name.plainProperty), types.isOpen(path) { return nil }
        }
        return types.path(of: SourceTypeName(path: [name]), in: enclosing).map { .type($0) }
    }

    private mutating func meaning(of name: String, in base: Meaning, _ depth: Int) -> Meaning? {
        switch base {
        case .type(let path):
            if ["self", "init"].contains(name) { return base }
            if let inner = types.step(name, from: path) { return .type(inner) }
            guard let (member, declarer) = types.member(name, of: path) else { return nil }
            return meaning(of: member, in: declarer, depth)
        case .value(let path, let places):
            if ["self", "wrappedValue", "projectedValue"].contains(name) { return base }
            if let group = collections.group(name.plainProperty, at: places) {
                return group.first.map { .value($0.type, group) }
            }
            guard let (member, declarer) = types.member(name, of: path) else { return nil }
            return meaning(of: member, in: declarer, depth)
        case .undeclared: return .undeclared
        case .other: return nil
        }
    }
}

extension String {
    /// The property that a name is of: `$newFlow` is the projection of `newFlow`, and `_newFlow` its wrapper.
    var plainProperty: String { hasPrefix("$") || hasPrefix("_") ? String(dropFirst()) : self }
}
