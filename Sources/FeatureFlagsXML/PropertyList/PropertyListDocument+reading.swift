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

    /// The value at a key, where nothing on the way is in the way.
    func stored(at key: FlagKeyPath) throws(BlockedPathError) -> FlagValue? {
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
