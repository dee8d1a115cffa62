/// The types that files declare, each with all that its extensions add.
struct SourceTypes: Sendable {
    /// A type with what all of its declarations say.
    struct Facts: Sendable {
        let path: [String]
        var isCollection = false
        var isProtocol = false
        var inherited: [String] = []
        var flags: [(flag: SourceFacts.DeclaredFlag, file: String)] = []
        var groups: [SourceFacts.DeclaredGroup] = []
        var members: [String: SourceExpression] = [:]
        var constants: [String: SourceFacts.Constant] = [:]
        var aliases: [String: SourceTypeName] = [:]
    }

    /// The types by their paths; the empty path stands for what is declared outside of any.
    private(set) var all: [[String]: Facts] = [:]

    /// - Parameter files: What each file says, by its path.
    init(_ files: [String: SourceFacts]) {
        // In one order, for one outcome where a name stands for several types.
        for (file, facts) in files.sorted(by: { $0.key < $1.key }) {
            for type in facts.types {
                var merged = all[type.path] ?? Facts(path: type.path)
                merged.isCollection =
                    merged.isCollection || !type.flags.isEmpty || !type.groups.isEmpty
                    || type.inherited.contains("FlagCollectionProtocol")
                merged.isProtocol = merged.isProtocol || type.isProtocol
                merged.inherited += type.inherited
                merged.flags += type.flags.map { ($0, file) }
                merged.groups += type.groups
                merged.members.merge(type.members) { first, _ in first }
                merged.constants.merge(type.constants) { first, _ in first }
                merged.aliases.merge(type.aliases) { first, _ in first }
                all[type.path] = merged
            }
        }
    }

    /// How many names of types may stand for one another, each for the next.
    private static let depth = 16

    /// The type that a name means at a place: the innermost one around it first.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - enclosing: The types around the place.
    ///   - depth: How many further names may be looked up on the way.
    /// - Returns: The type's path; `nil` where the files declare none.
    func path(of name: SourceTypeName, in enclosing: [String], depth: Int = depth) -> [String]? {
        guard depth > 0, let first = name.path.first else { return nil }
        if first == "Self" { return enclosing.isEmpty ? nil : member(name.path.dropFirst(), of: enclosing, depth) }
        for count in stride(from: enclosing.count, through: 0, by: -1) {
            if let start = step(first, from: Array(enclosing.prefix(count)), depth) {
                return member(name.path.dropFirst(), of: start, depth)
            }
        }
        // The first name may be that of a module.
        return name.path.count > 1
            ? path(of: SourceTypeName(path: Array(name.path.dropFirst())), in: [], depth: depth - 1) : nil
    }

    /// The collection that a type is, or that stands among its generic arguments, as in `FlagsLoader<ShopFlags>`; else the
    /// type itself.
    func valuePath(of name: SourceTypeName, in enclosing: [String]) -> [String]? {
        let own = path(of: name, in: enclosing)
        if let own, all[own]?.isCollection == true { return own }
        let held = name.arguments.lazy.compactMap { valuePath(of: $0, in: enclosing) }
        return held.first { all[$0]?.isCollection == true } ?? own
    }

    /// What a member of a type gives, which may be declared by a class or a protocol above it.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - path: The type's path.
    /// - Returns: The expression, with the path of the type that declares it; `nil` where the files declare none.
    func member(_ name: String, of path: [String]) -> (SourceExpression, in: [String])? {
        var (seen, waiting) = (Set([path]), [path])
        while let path = waiting.popLast() {
            guard let type = all[path] else { continue }
            if let own = type.members[name] { return (own, path) }
            for inherited in type.inherited.reversed() {
                let above = self.path(of: SourceTypeName(path: [inherited]), in: Array(path.dropLast()))
                if let above, seen.insert(above).inserted { waiting.append(above) }
            }
        }
        return nil
    }

    /// The type that a name means within another one.
    func step(_ name: String, from path: [String], _ depth: Int = depth) -> [String]? {
        if let alias = all[path]?.aliases[name] { return self.path(of: alias, in: path, depth: depth - 1) }
        return all[path + [name]] == nil ? nil : path + [name]
    }

    private func member(_ names: ArraySlice<String>, of path: [String], _ depth: Int) -> [String]? {
        names.reduce(path) { path, name in path.flatMap { step(name, from: $0, depth) } }
    }
}
