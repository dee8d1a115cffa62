import FeatureFlags

/// A flag, or a group with what is in it, in the manifest's order.
struct SwiftGroup {
    let path: [String]
    private(set) var isFlag = false
    private(set) var definition: FlagDefinition?
    private(set) var children: [SwiftGroup] = []
    /// The place of each child, by the bytes of its component: Swift takes some texts for one that a file tells apart.
    private var places: [[UInt8]: Int] = [:]

    init(path: [String]) { self.path = path }

    mutating func add(_ key: FlagKeyPath, _ definition: FlagDefinition? = nil) {
        guard path.count < key.components.count else {
            (isFlag, self.definition) = (true, definition)
            return
        }
        let component = key.components[path.count]
        let bytes = Array(component.utf8)
        let place = places[bytes] ?? children.count
        if place == children.count {
            places[bytes] = place
            children.append(SwiftGroup(path: path + [component]))
        }
        children[place].add(key, definition)
    }

    /// The names of the properties that declare the children, in their order, without backticks.
    var properties: [String] {
        var names = SwiftNames(reserved: ["encoded", "hashValue"])
        return children.map { names.property($0.path[$0.path.count - 1]) }
    }
}

extension SwiftNames {
    /// The name of the property by which generated source declares each flag, without backticks.
    package static func properties(of keys: some Sequence<FlagKeyPath>) -> [FlagKeyPath: String] {
        var root = SwiftGroup(path: [])
        for key in keys { root.add(key) }
        var (found, waiting): ([FlagKeyPath: String], [SwiftGroup]) = ([:], [root])
        while let group = waiting.popLast() {
            for (child, name) in zip(group.children, group.properties) {
                if child.isFlag { found[FlagKeyPath(components: child.path)] = name }
                waiting.append(child)
            }
        }
        return found
    }
}
