/// Where a flag's value stands in a provider: the names of the groups from the root down, then the flag's own.
///
/// ```swift
/// let fee = FlagKeyPath(components: ["delivery", "fee"])
/// print(fee.text, fee.leaf, fee.isInside(FlagKeyPath(components: ["delivery"])))
/// let same = FlagKeyPath(text: "delivery/fee")
/// ```
///
/// A path is a list of components and is never split by guess. As text it is joined by `/`, and a `/` or `~` inside a
/// component is written `~1` or `~0` (RFC 6901).
public struct FlagKeyPath: Sendable {
    /// The components, outermost first; never empty.
    public let components: [String]
    /// What joins the components in ``fullPath``; no part of what the path is.
    public let pathSeparator: String

    /// Makes a path of components.
    ///
    /// - Parameters:
    ///   - components: At least one component, taken literally: nothing in them is split or unescaped.
    ///   - separator: What joins the components in ``fullPath``.
    /// - Precondition: `components` is not empty.
    public init(components: [String], separator: String = DefaultPathSeparator) {
        precondition(!components.isEmpty, "a key path has at least one component")
        self.components = components
        pathSeparator = separator
    }

    /// How many components a path in a text has at most: no file nests its values deeper.
    public static let maximumCount = 64

    /// Makes a path from its text form, or `nil` where a `~` is followed by anything but `0` or `1`, or there are more than
    /// ``maximumCount`` components.
    ///
    /// - Parameter text: Components joined by `/`, each with `~1` for `/` and `~0` for `~`.
    public init?(text: String) {
        guard text.utf8.lazy.filter({ $0 == UInt8(ascii: "/") }).count < Self.maximumCount else { return nil }
        self.init(longText: text)
    }

    /// Makes a path from its text form, however many components there are: for what was stored before.
    package init?(longText: String) {
        var components: [String] = []
        // As a `Character`, a slash with a combining mark behind it is no slash.
        for part in longText.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let component = Self.unescape(Substring(part)) else { return nil }
            components.append(component)
        }
        self.init(components: components)
    }

    /// The text form: see ``init(text:)``.
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

    /// The path of the group that holds this one, or `nil` at the top level.
    public var parent: FlagKeyPath? {
        components.count > 1
            ? FlagKeyPath(components: Array(components.dropLast()), separator: pathSeparator) : nil
    }

    /// Every group above this path, outermost first.
    public var ancestors: [FlagKeyPath] {
        (1..<components.count).map {
            FlagKeyPath(components: Array(components.prefix($0)), separator: pathSeparator)
        }
    }

    /// This path with one more component.
    ///
    /// - Parameter component: The component to add, taken literally.
    /// - Returns: The longer path.
    public func appending(_ component: String) -> FlagKeyPath {
        FlagKeyPath(components: components + [component], separator: pathSeparator)
    }

    /// Whether this path is `group` or stands below it.
    ///
    /// - Parameter group: The path of a group.
    /// - Returns: `true` where it does.
    public func isInside(_ group: FlagKeyPath) -> Bool {
        components.starts(with: group.components)
    }

    private static func escape(_ component: String) -> String {
        // Hardly any needs it, and byte by byte that is soon known.
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
    /// Whether two paths have the same components, whatever separates these in text.
    public static func == (left: FlagKeyPath, right: FlagKeyPath) -> Bool { left.components == right.components }

    /// Feeds the components to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}

extension FlagKeyPath: CustomStringConvertible {
    /// The text form.
    public var description: String { text }
}

extension FlagKeyPath: Comparable {
    /// Orders by components, each by its Unicode scalars; spellings that are canonically equivalent are equal.
    public static func < (left: FlagKeyPath, right: FlagKeyPath) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }
}

/// What RealFlags calls the parts of a key path.
extension FlagKeyPath {
    /// What joins the components of a ``fullPath`` unless a ``KeyConfiguration`` says otherwise.
    public static let DefaultPathSeparator = "/"

    /// The components joined by the separator, unescaped: the key of a flat store such as `UserDefaults`.
    public var fullPath: String { components.joined(separator: pathSeparator) }

    /// The components, outermost first.
    public var pathComponents: [String] { components }

    /// The first component.
    public var first: String? { components.first }

    /// The last component.
    public var last: String? { components.last }

    /// The number of components.
    public var count: Int { components.count }

    /// The component at an index from 0; `nil` past the last.
    public subscript(_ index: Int) -> String? {
        components.indices.contains(index) ? components[index] : nil
    }
}

/// Code points in the notation of the Unicode standard.
package enum UnicodeName {
    /// `U+0001`.
    package static func of(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The code points in which two texts of equal look differ: `U+00E9 in one and U+0065 U+0301 in the other`.
    ///
    /// - Parameters:
    ///   - one: A text.
    ///   - other: Another one, equal to it but for its Unicode form.
    /// - Returns: `nil` where both are the same, code point by code point.
    package static func difference(of one: String, from other: String) -> String? {
        var (left, right) = (Array(one.unicodeScalars)[...], Array(other.unicodeScalars)[...])
        while let first = left.first, first == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
        while let last = left.last, last == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
        guard !left.isEmpty || !right.isEmpty else { return nil }
        return "\(names(left)) in one and \(names(right)) in the other"
    }

    private static func names(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        scalars.isEmpty ? "nothing" : scalars.prefix(8).map(of).joined(separator: " ")
    }
}
