import FeatureFlags

extension PropertyListDocument {
    /// The value of a flag.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where a component above the last is no `<dict>`, and which.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        do throws(BlockedPathError) {
            return try stored(at: key)
        } catch {
            let place = location(of: error.components.map(PathStep.key)).map { " (line \($0.line))" } ?? ""
            throw FlagValueError(
                "\(error.text)\(place), not a <dict>, so \(key.text) can't be read; correct the file")
        }
    }

    /// Whether the root value is a dictionary.
    package var holdsDictionary: Bool { tree.element.isDictionary }

    /// The value at a path.
    ///
    /// - Parameter path: The steps from the root down; empty for the root value.
    /// - Returns: `nil` where there is none.
    package func value(of path: [PathStep]) -> FlagValue? { node(at: path)?.value }

    /// The elements whose text is no value of their kind, and the steps to each, in the order of the file.
    package var brokenValues: [(path: [PathStep], value: BrokenFlagValue)] {
        var found: [(path: [PathStep], value: BrokenFlagValue)] = []
        Self.findBroken(in: tree.element, at: [], &found)
        return found
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

    /// Goes through the entries of dictionaries in the order of the file, those in arrays left out.
    ///
    /// - Parameter visit: Is given each entry's key path, and its value where that is no dictionary; says of a dictionary
    ///   whether to go into it.
    package func forEachEntry(_ visit: (FlagKeyPath, FlagValue?) -> Bool) {
        Self.forEachEntry(of: tree.element, below: [], visit)
    }

    /// Goes through the entry at a key path and those in it; through none where there is none.
    ///
    /// - Parameters:
    ///   - key: The key path; `visit` gets it as the file spells it.
    ///   - visit: As for ``forEachEntry(_:)``.
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

    /// The value at a key.
    ///
    /// - Parameter key: The key path.
    /// - Returns: `nil` where there is none.
    /// - Throws: The first component above the leaf that is no dictionary.
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

    /// Where the element of a flag's value starts.
    ///
    /// - Parameter key: The flag's path.
    /// - Returns: `nil` where there is no value.
    public func location(at key: FlagKeyPath) -> SourceLocation? {
        location(of: key.components.map(PathStep.key))
    }

    /// Where the element of a value starts, in dictionaries and arrays.
    ///
    /// - Parameter path: The steps from the root down; empty for the root value.
    /// - Returns: `nil` where there is no such value.
    public func location(of path: [PathStep]) -> SourceLocation? {
        node(at: path).map { map.location(of: $0.range.lowerBound) }
    }

    /// The value at a path, from the root down; `nil` where there is none.
    func node(at path: some Sequence<PathStep>) -> PropertyListNode? {
        var node = tree
        for step in path {
            guard let child = node.child(step) else { return nil }
            node = child
        }
        return node
    }
}
