/// The path of a flag's value in a provider: the names of the groups from the root, then the flag's own.
///
/// ```swift
/// let fee = FlagKeyPath(components: ["delivery", "fee"])
/// print(fee.text, fee.leaf, fee.isInside(FlagKeyPath(components: ["delivery"])))
/// let same = FlagKeyPath(text: "delivery/fee")
/// ```
///
/// A path is a list of components, never split by guessing. Text joins them by `/`, and writes a `/` or `~` inside a
/// component as `~1` or `~0` (RFC 6901).
public struct FlagKeyPath: Sendable {
    /// The components, outermost first; never empty.
    public let components: [String]
    /// The separator in ``flatKey``, which doesn't affect equality.
    public let pathSeparator: String

    /// Creates a path from components.
    ///
    /// - Parameters:
    ///   - components: At least one component, taken literally: nothing is split or unescaped.
    ///   - separator: The separator in ``flatKey``.
    /// - Precondition: `components` is not empty.
    public init(components: [String], separator: String = defaultPathSeparator) {
        precondition(!components.isEmpty, "a key path needs at least one component")
        self.components = components
        pathSeparator = separator
    }

    /// The most components of a path in text: no file nests its values deeper.
    public static let maximumCount = 64

    /// Creates a path from its text form.
    ///
    /// `nil` if a `~` is not followed by `0` or `1`, or there are more than ``maximumCount`` components.
    ///
    /// - Parameter text: Components joined by `/`, each with `~1` for `/` and `~0` for `~`.
    public init?(text: String) {
        guard text.utf8.lazy.filter({ $0 == UInt8(ascii: "/") }).count < Self.maximumCount else { return nil }
        self.init(longText: text)
    }

    /// Creates a path of any number of components, for stored paths.
    package init?(longText: String) {
        var components: [String] = []
        // As a `Character`, a slash with a combining mark is not a slash.
        for part in longText.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let component = Self.unescape(Substring(part)) else { return nil }
            components.append(component)
        }
        self.init(components: components)
    }

    /// The text form; see ``init(text:)``.
    public var text: String {
        var text = Self.escape(components[0])
        for component in components.dropFirst() {
            text += "/"
            text += Self.escape(component)
        }
        return text
    }

    /// The last component: the flag's own name.
    public var leaf: String { components[components.count - 1] }

    /// The path of the group of this path; `nil` at the top level.
    public var parent: FlagKeyPath? {
        components.count > 1
            ? FlagKeyPath(components: Array(components.dropLast()), separator: pathSeparator) : nil
    }

    /// All groups above this path, outermost first.
    public var ancestors: [FlagKeyPath] {
        (1..<components.count).map {
            FlagKeyPath(components: Array(components.prefix($0)), separator: pathSeparator)
        }
    }

    /// `true` if a component has no visible character, so that a group would have no name.
    package var hasNamelessComponent: Bool { components.contains { $0.allSatisfy(\.isWhitespace) } }

    /// Returns this path with one more component, taken literally.
    public func appending(_ component: String) -> FlagKeyPath {
        FlagKeyPath(components: components + [component], separator: pathSeparator)
    }

    /// Returns `true` if this path is `group` or below it.
    public func isInside(_ group: FlagKeyPath) -> Bool {
        components.starts(with: group.components)
    }

    private static func escape(_ component: String) -> String {
        // A fast check of bytes: few components need escapes.
        guard component.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            return component
        }
        var escaped = ""
        for scalar in component.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func unescape(_ part: Substring) -> String? {
        guard part.utf8.contains(UInt8(ascii: "~")) else { return String(part) }
        var unescaped = ""
        var scalars = part.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "~" else {
                unescaped.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.next() {
            case "0": unescaped += "~"
            case "1": unescaped += "/"
            default: return nil
            }
        }
        return unescaped
    }
}

extension FlagKeyPath: Hashable {
    /// Compares components, not separators.
    public static func == (left: FlagKeyPath, right: FlagKeyPath) -> Bool { left.components == right.components }

    /// Hashes the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}

extension FlagKeyPath: ExpressibleByArrayLiteral {
    /// Creates a path from components: `["delivery", "fee"]`.
    ///
    /// - Parameter elements: At least one component, taken literally.
    /// - Precondition: The array is not empty.
    public init(arrayLiteral elements: String...) { self.init(components: elements) }
}

extension FlagKeyPath: CustomStringConvertible {
    /// The text form.
    public var description: String { text }
}

extension FlagKeyPath: Comparable {
    /// Orders by components, each by its Unicode scalars; canonically equivalent spellings are equal.
    public static func < (left: FlagKeyPath, right: FlagKeyPath) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }
}

extension FlagKeyPath {
    /// The default separator in ``flatKey``; a ``KeyConfiguration`` can set another one.
    public static let defaultPathSeparator = "/"

    /// The components joined by the separator, unescaped: the key of a flat store such as `UserDefaults`.
    public var flatKey: String { components.joined(separator: pathSeparator) }
}

package enum UnicodeName {
    /// Returns `U+0001`.
    package static func of(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Describes the difference of equal-looking texts: `U+00E9 in one and U+0065 U+0301 in the other`.
    ///
    /// `nil` if their code points are equal.
    package static func difference(of one: String, from other: String) -> String? {
        var (left, right) = (Array(one.unicodeScalars)[...], Array(other.unicodeScalars)[...])
        while let first = left.first, first == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
        while let last = left.last, last == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
        guard !left.isEmpty || !right.isEmpty else { return nil }
        return "\(names(left)) in one of them and \(names(right)) in the other"
    }

    private static func names(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        scalars.isEmpty ? "nothing" : scalars.prefix(8).map(of).joined(separator: " ")
    }
}
