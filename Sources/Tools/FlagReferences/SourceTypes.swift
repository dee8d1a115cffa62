/// The types that files declare, merged with their extensions.
struct SourceTypes: Sendable {
    struct Facts: Sendable {
        let path: [String]
        /// `false` if only extensions were found.
        var isDeclared = false
        var isCollection = false
        var isProtocol = false
        var isDynamic = false
        var inherited: [String] = []
        var flags: [(flag: SourceFacts.DeclaredFlag, file: String)] = []
        var groups: [(group: SourceFacts.DeclaredGroup, file: String)] = []
        var placeholders: Set<String> = []
        var members: [String: SourceExpression] = [:]
        var constants: [String: SourceFacts.Constant] = [:]
        var aliases: [String: SourceTypeName] = [:]
    }

    enum Meaning: Hashable {
        case path([String])
        /// A name that may be any type, such as a generic parameter, and so a collection.
        case open
        /// An undeclared collection, such as one that a build plugin makes.
        case undeclared
        /// An undeclared type, and so no collection.
        case foreign
    }

    /// The empty path holds declarations outside of types.
    private(set) var all: [[String]: Facts] = [:]
    /// Supertypes of collections, declared in the files or not.
    private var aboveCollections: Set<String> = []

    init(_ files: [String: SourceFacts]) {
        // A fixed order gives one outcome if a name has several types.
        for (file, facts) in files.sorted(by: { $0.key < $1.key }) {
            for type in facts.types {
                var merged = all[type.path] ?? Facts(path: type.path)
                merged.isDeclared = merged.isDeclared || !type.isExtension
                merged.isCollection =
                    merged.isCollection || !type.flags.isEmpty || !type.groups.isEmpty
                    || type.inherited.contains("FlagCollectionProtocol")
                merged.isProtocol = merged.isProtocol || type.isProtocol
                merged.isDynamic = merged.isDynamic || type.isDynamic
                merged.inherited += type.inherited
                merged.flags += type.flags.map { ($0, file) }
                merged.groups += type.groups.map { ($0, file) }
                merged.placeholders.formUnion(type.placeholders)
                // Declared twice, as for two platforms, a member is unknown.
                merged.members.merge(type.members) { $0 == $1 ? $0 : .unknown }
                merged.constants.merge(type.constants) { first, _ in first }
                merged.aliases.merge(type.aliases) { first, _ in first }
                all[type.path] = merged
            }
        }
        for type in all.values where type.isCollection {
            aboveCollections.formUnion(type.inherited)
            for above in self.above(type.path) { aboveCollections.formUnion(all[above]?.inherited ?? []) }
        }
    }

    /// Lookups left for one name, since aliases can be circular or multiply.
    private struct Effort {
        var rest = 256
    }

    /// Types of the standard library and Foundation, which are no placeholders.
    private static let wellKnown: Set<String> = [
        "Bool", "Int", "UInt", "Double", "Float", "String", "Substring", "Character", "Array", "Set", "Dictionary",
        "Date",
        "Data", "URL", "UUID",
    ]

    /// Returns the type of a name, innermost first; `nil` if undeclared.
    func path(of name: SourceTypeName, in enclosing: [String]) -> [String]? {
        var effort = Effort()
        return path(of: name, in: enclosing, &effort)
    }

    /// Prefers a collection that the type is or has as an argument, as in `FlagsLoader<ShopFlags>`.
    func value(of name: SourceTypeName, in enclosing: [String]) -> Meaning {
        var effort = Effort()
        return value(of: name, in: enclosing, &effort)
    }

    func step(_ name: String, from path: [String]) -> [String]? {
        var effort = Effort()
        return step(name, from: path, &effort)
    }

    /// Returns whether an undeclared member may still be a collection's.
    ///
    /// True for protocols, for types known only by extensions, and with `subscript(dynamicMember:)`.
    func isOpen(_ path: [String]) -> Bool {
        guard let type = all[path] else { return true }
        return type.isProtocol || !type.isDeclared || type.isDynamic
            || above(path).contains { all[$0]?.isDynamic == true }
    }

    /// Returns a member's result and the declaring type, perhaps above this one; `nil` if undeclared.
    func member(_ name: String, of path: [String]) -> (SourceExpression, in: [String])? {
        if let own = all[path]?.members[name] { return (own, path) }
        for path in above(path) {
            if let inherited = all[path]?.members[name] { return (inherited, path) }
        }
        return nil
    }

    /// Classes and protocols above one type.
    private static let maximumAbove = 256

    /// Classes and protocols, the nearest first.
    private func above(_ path: [String]) -> [[String]] {
        var (seen, waiting, found) = (Set([path]), [path], [[String]]())
        while found.count < Self.maximumAbove, let next = waiting.popLast() {
            if next != path { found.append(next) }
            for inherited in (all[next]?.inherited ?? []).reversed() {
                let above = self.path(of: SourceTypeName(path: [inherited]), in: Array(next.dropLast()))
                if let above, seen.insert(above).inserted { waiting.append(above) }
            }
        }
        return found
    }
}

extension SourceTypes {
    private func path(of name: SourceTypeName, in enclosing: [String], _ effort: inout Effort) -> [String]? {
        guard effort.rest > 0, let first = name.path.first else { return nil }
        effort.rest -= 1
        if first == "Self" { return enclosing.isEmpty ? nil : member(name.path.dropFirst(), of: enclosing, &effort) }
        for count in stride(from: enclosing.count, through: 0, by: -1) {
            if let start = step(first, from: Array(enclosing.prefix(count)), &effort) {
                return member(name.path.dropFirst(), of: start, &effort)
            }
        }
        // The first name may be a module's.
        return name.path.count > 1
            ? path(of: SourceTypeName(path: Array(name.path.dropFirst())), in: [], &effort) : nil
    }

    private func step(_ name: String, from path: [String], _ effort: inout Effort) -> [String]? {
        if let alias = all[path]?.aliases[name] { return self.path(of: alias, in: path, &effort) }
        return all[path + [name]] == nil ? nil : path + [name]
    }

    private func member(_ names: ArraySlice<String>, of path: [String], _ effort: inout Effort) -> [String]? {
        var found = path
        for name in names {
            guard let next = step(name, from: found, &effort) else { return nil }
            found = next
        }
        return found
    }

    private func value(of name: SourceTypeName, in enclosing: [String], _ effort: inout Effort) -> Meaning {
        guard effort.rest > 0 else { return .open }
        effort.rest -= 1
        if let (alias, declarer) = alias(name, in: enclosing, &effort) {
            return value(of: alias, in: declarer, &effort)
        }
        let own = path(of: name, in: enclosing, &effort)
        if let own, all[own]?.isCollection == true { return .path(own) }
        var isOpen = false
        for argument in name.arguments {
            let held = value(of: argument, in: enclosing, &effort)
            if case .path(let path) = held, all[path]?.isCollection == true { return held }
            isOpen = isOpen || held == .open
        }
        if isOpen { return .open }
        if name.path.last == "FlagsLoader", !name.arguments.isEmpty { return .undeclared }
        if let own { return .path(own) }
        return effort.rest <= 0 || self.isOpen(name, in: enclosing) ? .open : .foreign
    }

    /// Returns an alias's type and the declaring type; `nil` if the name is no alias.
    private func alias(
        _ name: SourceTypeName, in enclosing: [String], _ effort: inout Effort
    ) -> (SourceTypeName, in: [String])? {
        guard let last = name.path.last else { return nil }
        let places: [[String]]
        if name.path.count > 1 {
            places = [path(of: SourceTypeName(path: name.path.dropLast()), in: enclosing, &effort)].compactMap(\.self)
        } else {
            places = stride(from: enclosing.count, through: 0, by: -1).map { Array(enclosing.prefix($0)) }
        }
        guard let place = places.first(where: { all[$0]?.aliases[last] != nil || all[$0 + [last]] != nil }),
            let alias = all[place]?.aliases[last]
        else { return nil }
        return (SourceTypeName(path: alias.path, arguments: alias.arguments + name.arguments), place)
    }

    /// Returns whether an undeclared name may be any type: a placeholder, its member, or a collection's supertype.
    private func isOpen(_ name: SourceTypeName, in enclosing: [String]) -> Bool {
        guard let first = name.path.first, let last = name.path.last else { return true }
        if first == "Self" || aboveCollections.contains(last) { return true }
        guard !Self.wellKnown.contains(first) else { return false }
        return (0...enclosing.count).contains { count in
            guard let type = all[Array(enclosing.prefix(count))] else { return false }
            // An extension uses generic parameters and associated types declared elsewhere.
            return type.placeholders.contains(first) || !type.isDeclared
                || above(type.path).contains { all[$0]?.placeholders.contains(first) == true }
        }
    }
}
