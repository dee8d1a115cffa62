/// A change of what a provider holds.
///
/// ```swift
/// if let updates = local.didUpdateValueForKey() {
///     for await update in updates where update.concerns(flags.$paymentRetries.keyPath) {
///         print(update.keys)
///     }
/// }
/// ```
public struct FlagUpdate: Sendable {
    /// The key paths whose values are other than before, sorted; of a group that came or went, those of its values.
    ///
    /// None where more than any list could name may be other: the provider's values stopped or began being readable, and none
    /// was there before or after. Ask ``concerns(_:)`` rather than searching the list.
    public let keys: [FlagKeyPath]
    /// What the provider holds after the change.
    let content: FlagValueStore.Content

    /// The value after the change.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none any more.
    /// - Throws: Why the provider's values can't be read any more.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try FlagValueStore.value(in: content, at: key)
    }

    /// Whether the value at a key path may be another than before: a part of it is, or a group that it stands in.
    ///
    /// - Parameter key: The key path of a flag.
    /// - Returns: `true` where it may.
    public func concerns(_ key: FlagKeyPath) -> Bool {
        keys.isEmpty || keys.contains { $0.isInside(key) || key.isInside($0) }
    }
}
