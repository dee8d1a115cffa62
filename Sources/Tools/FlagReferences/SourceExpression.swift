/// A type's name as written: `ShopFlags`, `Shop.Flags`, `FlagsLoader<ShopFlags>`.
package struct SourceTypeName: Hashable, Sendable {
    package let path: [String]
    package var arguments: [SourceTypeName]

    package init(path: [String], arguments: [SourceTypeName] = []) {
        (self.path, self.arguments) = (path, arguments)
    }
}

/// An expression, reduced to what may identify a collection of flags.
package indirect enum SourceExpression: Hashable, Sendable {
    case unknown
    /// A literal, which is no collection, whatever its members are called.
    case literal
    /// `self`.
    case current
    /// An identifier that the enclosing function doesn't declare.
    case name(String)
    case type(SourceTypeName)
    case value(SourceTypeName)
    case member(SourceExpression, String)
    /// The result of a call, with the types passed to it as `ShopFlags.self`.
    case call(SourceExpression, [SourceExpression])
    /// The first choice with a known meaning.
    case first([SourceExpression])
    /// The first choice that is a collection.
    case guess([SourceExpression])
}

extension SourceExpression {
    /// The most expressions behind one name, since each use repeats them.
    private static let maximumSize = 256

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
