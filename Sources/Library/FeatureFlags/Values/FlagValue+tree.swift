import Foundation

/// A tree of dictionaries as a plain value: the reference for edits of a document.
extension FlagValue {
    /// Returns the value at a key path; throws the first component above the leaf that is not a dictionary.
    package func value(at key: FlagKeyPath) throws(BlockedPathError) -> FlagValue? {
        var value = self
        for (depth, component) in key.components.enumerated() {
            guard case .dictionary(let entries) = value else {
                throw BlockedPathError(components: Array(key.components.prefix(depth)), value: value)
            }
            guard let next = entries[component] else { return nil }
            value = next
        }
        return value
    }

    /// Returns this tree with `value` at `components`: `nil` removes; missing groups are created.
    package func setting(_ value: FlagValue?, at components: ArraySlice<String>) -> FlagValue {
        guard let first = components.first else { return value ?? self }
        guard case .dictionary(var entries) = self else { return self }
        let rest = components.dropFirst()
        if rest.isEmpty {
            entries[first] = value
        } else if let child = entries[first] ?? (value == nil ? nil : .dictionary([:])) {
            entries[first] = child.setting(value, at: rest)
        }
        return .dictionary(entries)
    }

    package var roundedToSeconds: FlagValue {
        switch self {
        case .date(let date):
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
        case .array(let values): .array(values.map(\.roundedToSeconds))
        case .dictionary(let values): .dictionary(values.mapValues(\.roundedToSeconds))
        default: self
        }
    }

    /// A scalar has one level.
    package func isDeeper(than levels: Int) -> Bool {
        guard levels > 0 else { return true }
        return switch self {
        case .array(let values): values.contains { $0.isDeeper(than: levels - 1) }
        case .dictionary(let values): values.values.contains { $0.isDeeper(than: levels - 1) }
        default: false
        }
    }
}

/// A value above the end of a path that is not a dictionary.
package struct BlockedPathError: Error, Hashable {
    /// The path of the value; empty for the root.
    package let components: [String]
    package let value: FlagValue

    package init(components: [String], value: FlagValue) {
        self.components = components
        self.value = value
    }

    /// The value and its place: `"ui" is a string`.
    package var text: String {
        let place =
            components.isEmpty ? "the root" : "\"\(FlagKeyPath(components: components).text)\""
        return "\(place) is \(value.briefDescription)"
    }
}

extension FlagValue {
    /// Returns the key paths at which two trees of dictionaries differ, sorted.
    ///
    /// A dictionary on one side only counts as its values, or as itself if it is empty.
    package func differences(from other: FlagValue) -> [FlagKeyPath] {
        var keys: [FlagKeyPath] = []
        Self.compare(self, other, at: [], into: &keys)
        return keys.sorted()
    }

    private static func compare(
        _ left: FlagValue?, _ right: FlagValue?, at path: [String], into keys: inout [FlagKeyPath]
    ) {
        if left == right { return }
        let (leftEntries, rightEntries) = (entries(left), entries(right))
        let names = Set((leftEntries ?? [:]).keys).union((rightEntries ?? [:]).keys)
        let isScalar = (left != nil && leftEntries == nil) || (right != nil && rightEntries == nil)
        if !path.isEmpty, isScalar || names.isEmpty { keys.append(FlagKeyPath(components: path)) }
        for name in names { compare(leftEntries?[name], rightEntries?[name], at: path + [name], into: &keys) }
    }

    private static func entries(_ value: FlagValue?) -> [String: FlagValue]? {
        if case .dictionary(let entries) = value { entries } else { nil }
    }
}
