import FeatureFlags

/// Values in the words of the pages, on one line of a terminal.
package enum ValueWords {
    /// A value, whole.
    ///
    /// What looks like a value of another kind, such as a whole `real`, or data that holds JSON, is told from it.
    ///
    /// - Parameter value: The value; `nil` where there is none.
    /// - Returns: The words, without line ends and other characters that a terminal would obey.
    package static func line(_ value: FlagValue?, absence: String = "no value") -> String {
        guard let value else { return absence }
        let shown = ShownValue(value, limit: unlimited)
        let looksLikeAnother =
            switch value {
            case .data: shown.style == "json"
            case .double: Int128(shown.plain) != nil
            default: false
            }
        return looksLikeAnother ? naming(value, shown) : shown.plain
    }

    /// Two values as a change tells them: where both are long, the parts in which they differ.
    package static func pair(
        _ before: FlagValue?, _ after: FlagValue?, absence: String = "no value"
    ) -> (before: String, after: String) {
        let shown = ShownValue.pair(before, after, absence: absence)
        guard let before, let after, before != after, shown.before.plain == shown.after.plain else {
            return (shown.before.plain, shown.after.plain)
        }
        return (naming(before, shown.before), naming(after, shown.after))
    }

    private static func naming(_ value: FlagValue, _ shown: ShownValue) -> String {
        "\(shown.plain) (stored as \(value.kind))"
    }

    /// A text such as a key path, with a sign for each character that a terminal would obey or not show.
    package static func text(_ text: String) -> String {
        ShownPart.parts(of: text, breaksLines: false).map(\.plain).joined()
    }

    /// Far from where the sums of what is shown would overflow.
    private static let unlimited = Int.max / 64
}
