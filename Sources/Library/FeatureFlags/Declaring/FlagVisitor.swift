/// Something that walks the flags and groups of collections in the order of declaration.
///
/// ```swift
/// struct Outline: FlagVisitor {
///     var lines: [String] = []
///     mutating func enter(_ collection: AnyFlagCollection) { lines.append(collection.name) }
///     mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) { lines.append("- \(flag.name): \(Value.self)") }
/// }
///
/// var outline = Outline()
/// manager.tree.walk(&outline)
/// print(outline.lines.joined(separator: "\n"))
/// ```
public protocol FlagVisitor {
    /// Called before the flags of a group.
    ///
    /// - Parameter collection: The group.
    mutating func enter(_ collection: AnyFlagCollection)

    /// Called with each flag.
    ///
    /// - Parameter flag: The flag, with the type of its value.
    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>)

    /// Called after the flags of a group.
    ///
    /// - Parameter collection: The group.
    mutating func leave(_ collection: AnyFlagCollection)
}

extension FlagVisitor {
    /// Does nothing.
    public mutating func enter(_ collection: AnyFlagCollection) {}

    /// Does nothing.
    public mutating func leave(_ collection: AnyFlagCollection) {}
}

extension Sequence where Element == FlagTree {
    /// Has a visitor walk the flags and groups, those within groups included.
    ///
    /// - Parameter visitor: The visitor.
    public func walk(_ visitor: inout some FlagVisitor) {
        for node in self {
            switch node {
            case .flag(let flag):
                flag.accept(&visitor)
            case .collection(let collection):
                visitor.enter(collection)
                collection.children.walk(&visitor)
                visitor.leave(collection)
            }
        }
    }
}
