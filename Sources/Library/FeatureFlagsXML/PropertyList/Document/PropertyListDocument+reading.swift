import FeatureFlags

extension PropertyListDocument {
    /// Returns the value of a flag; `nil` for none.
    ///
    /// - Throws: An error that names the first component above the last that is not a `<dict>`.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        do throws(BlockedPathError) {
            return try stored(at: key)
        } catch {
            let place = location(of: error.components.map(PathStep.key)).map { " (line \($0.line))" } ?? ""
            throw FlagValueError(
                "\(error.text)\(place), not a <dict>, so \(key.text) can't be read; fix the file")
        }
    }

    package var holdsDictionary: Bool { tree.element.isDictionary }

    package func value(of path: [PathStep]) -> FlagValue? { node(at: path)?.value }

    /// Elements whose text is not a value of their kind, in the order of the file.
    package var brokenValues: [(path: [PathStep], value: BrokenFlagValue)] {
        var found: [(path: [PathStep], value: BrokenFlagValue)] = []
        Self.findBroken(in: tree.element, at: [], &found)
        return found
    }

    var hasRepeatedKeys: Bool { tree.element.repeatedKeys > 0 }

    private static let mostDuplicates = 100

    /// A fault for each of the first 100 entries whose key its dictionary already has; the key's value is broken.
    ///
    /// Doesn't enter values that are broken themselves.
    package var duplicateKeys: [PropertyListError] {
        var found: [PropertyListError] = []
        findDuplicates(in: tree, &found)
        return found
    }

    private func findDuplicates(in node: PropertyListNode, _ found: inout [PropertyListError]) {
        guard node.element.repeatedKeys > 0 else { return }
        if let items = node.items { items.forEach { findDuplicates(in: $0, &found) } }
        for entry in node.entries.map(Array.init) ?? [] {
            findDuplicates(in: entry.node, &found)
            guard let repetition = node.repetition(of: entry.key) else { continue }
            let first = map.location(of: entry.keyRange.lowerBound)
            for other in repetition.others {
                guard found.count < Self.mostDuplicates else { return }
                found.append(
                    PropertyListError(
                        .duplicateKey(other.key, first: entry.key, at: first),
                        at: map.location(of: other.keyRange.lowerBound)))
            }
        }
    }

    private static func findBroken(
        in element: PropertyListElement, at path: [PathStep],
        _ found: inout [(path: [PathStep], value: BrokenFlagValue)]
    ) {
        switch element.content {
        case .scalar(.broken(let value)): found.append((path, value))
        case .scalar: break
        case .array(let children):
            var index = 0
            children.forEach { child in
                findBroken(in: child.element, at: path + [.index(index)], &found)
                index += 1
            }
        case .dictionary(let children):
            children.forEach { findBroken(in: $0.element, at: path + [.key($0.key)], &found) }
        }
    }

    /// Visits entries outside arrays, in order; `visit` takes `nil` for a dictionary, and returns whether to enter it.
    package func forEachEntry(_ visit: (FlagKeyPath, FlagValue?) -> Bool) {
        Self.forEachEntry(of: tree.element, below: [], visit)
    }

    /// Visits the entry at a key path, as the file spells it, and the entries below it.
    package func forEachEntry(at key: FlagKeyPath, _ visit: (FlagKeyPath, FlagValue?) -> Bool) {
        var (node, path): (PropertyListNode, [String]) = (tree, [])
        for component in key.components {
            guard let entry = node.entry(component) else { return }
            path.append(entry.key)
            node = entry.node
        }
        let isDictionary = node.element.isDictionary
        guard visit(FlagKeyPath(components: path), isDictionary ? nil : node.value), isDictionary else { return }
        Self.forEachEntry(of: node.element, below: path, visit)
    }

    private static func forEachEntry(
        of element: PropertyListElement, below path: [String], _ visit: (FlagKeyPath, FlagValue?) -> Bool
    ) {
        guard case .dictionary(let children) = element.content else { return }
        children.forEach { child in
            let key = FlagKeyPath(components: path + [child.key])
            let isDictionary = child.element.isDictionary
            if visit(key, isDictionary ? nil : child.element.value), isDictionary {
                forEachEntry(of: child.element, below: key.components, visit)
            }
        }
    }

    /// Returns the value at a key, or throws the first component above the leaf that is not a dictionary.
    package func stored(at key: FlagKeyPath) throws(BlockedPathError) -> FlagValue? {
        var node = tree
        for (depth, component) in key.components.enumerated() {
            guard node.element.isDictionary else {
                throw BlockedPathError(components: Array(key.components.prefix(depth)), value: node.value)
            }
            guard let next = node.entry(component)?.node else { return nil }
            node = next
        }
        return node.value
    }

    /// Returns the start of the element of a flag's value; `nil` for none.
    public func location(at key: FlagKeyPath) -> SourceLocation? {
        location(of: key.components.map(PathStep.key))
    }

    /// Returns the start of a value's element, in dictionaries and arrays; `nil` for none.
    ///
    /// - Parameter path: The steps from the root; empty for the root value.
    /// - Returns: The place, or `nil` if there is no such value.
    public func location(of path: [PathStep]) -> SourceLocation? {
        node(at: path).map { map.location(of: $0.range.lowerBound) }
    }

    func node(at path: some Sequence<PathStep>) -> PropertyListNode? {
        var node = tree
        for step in path {
            guard let child = node.child(step) else { return nil }
            node = child
        }
        return node
    }
}
