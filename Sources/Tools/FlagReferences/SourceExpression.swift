/// The name of a type as it is written: `ShopFlags`, `Shop.Flags`, `FlagsLoader<ShopFlags>`.
package struct SourceTypeName: Hashable, Sendable {
    /// The names between the dots.
    package let path: [String]
    /// The generic arguments of the last of them.
    package var arguments: [SourceTypeName]

    package init(path: [String], arguments: [SourceTypeName] = []) {
        (self.path, self.arguments) = (path, arguments)
    }
}

/// An expression, as far as it may tell which collection of flags is meant.
package indirect enum SourceExpression: Hashable, Sendable {
    /// Nothing can be told of it.
    case unknown
    /// A literal: no collection, whatever its members are called.
    case literal
    /// `self`.
    case current
    /// An identifier that nothing around it in the same function declares.
    case name(String)
    /// A type itself.
    case type(SourceTypeName)
    /// A value that is declared to be of a type.
    case value(SourceTypeName)
    /// A member of another one.
    case member(SourceExpression, String)
    /// What a call returns, with the types that stand among its arguments as `ShopFlags.self`.
    case call(SourceExpression, [SourceExpression])
    /// The first of several that can be told.
    case first([SourceExpression])
    /// The first of several that is a collection.
    case guess([SourceExpression])
}

extension SourceExpression {
    /// How many expressions one holds at most that a name stands for: each use of the name holds them anew.
    private static let maximumSize = 256

    /// Whether it holds too many expressions to be told of a name.
    package var isLarge: Bool {
        var (waiting, count) = ([self], 0)
        while let next = waiting.popLast() {
            count += 1
            if count > Self.maximumSize { return true }
            switch next {
            case .unknown, .literal, .current, .name, .type, .value: continue
            case .member(let base, _): waiting.append(base)
            case .call(let callee, let given): waiting += [callee] + given
            case .first(let choices), .guess(let choices): waiting += choices
            }
        }
        return false
    }
}
