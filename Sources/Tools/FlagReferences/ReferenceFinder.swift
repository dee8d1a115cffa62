import FeatureFlags

/// Finds flags in the facts of files, once all collections are known.
struct ReferenceFinder {
    private enum Meaning {
        case type([String])
        /// A type, with the places of its collection.
        case value([String], [DeclaredCollections.Place])
        /// A collection that the files don't declare, or a group of one.
        case undeclared
        /// A value of an undeclared type, and so no collection.
        case other
    }

    /// A key of `meanings`.
    private struct Question: Hashable {
        let expression: SourceExpression
        let enclosing: [String]
    }

    /// The most nested lookups for one expression.
    private static let depth = 64
    /// The most lookups for one expression, since names can multiply one another.
    private static let maximumSteps = 1_000

    private let collections: DeclaredCollections
    private let known: Set<FlagKeyPath>
    /// The flags that each property name declares, in any collection.
    private let properties: [String: Set<FlagKeyPath>]
    /// The property names of groups in any collection.
    private let groups: Set<String>
    private var undeclared: FlagNames
    /// The meanings found so far in the current file.
    private var meanings: [Question: Meaning?] = [:]
    private var steps = 0
    private(set) var found: [FlagKeyPath: Set<FlagReference>]

    private var types: SourceTypes { collections.types }

    init(collections: DeclaredCollections, known: Set<FlagKeyPath>, undeclared: FlagNames) {
        self.collections = collections
        self.known = known
        properties = collections.properties
        groups = Set(collections.types.all.values.flatMap { $0.groups.map(\.group.property) })
        self.undeclared = undeclared
        found = collections.declarations
    }

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
                // Constants are generated for every flag, so they are no uses.
                guard let key = flag(constant.text) else { continue }
                add(key, isOfCollection ? .declaration : .key, file, constant.position, constant.lines)
            }
        }
        for mention in facts.mentions {
            // A coding key is a use only of a flag that is also declared here.
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

    private mutating func addPossible(_ access: SourceFacts.Access, _ file: String) {
        // No flag is a function.
        guard !access.isCalled else { return }
        for key in properties[access.name] ?? properties[access.name.plainProperty] ?? [] {
            add(key, .possible, file, access.position)
        }
    }

    /// A lone identifier is a property of an enclosing type, or a constant.
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
                // A protocol's requirement may be the property of a conforming collection.
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
            // The first name may be a module's.
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
    /// `newFlow` for the projection `$newFlow` and the wrapper `_newFlow`.
    var plainProperty: String { hasPrefix("$") || hasPrefix("_") ? String(dropFirst()) : self }
}
