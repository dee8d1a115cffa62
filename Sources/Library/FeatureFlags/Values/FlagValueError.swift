/// Why a value is not valid for a flag: what was found, and what is wanted instead.
///
/// ```swift
/// do {
///     _ = try local.storedValue(at: flags.$paymentRetries.keyPath)
/// } catch {
///     print("The file can't be read: \(error)")
/// }
/// ```
public struct FlagValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
    public let description: String
    /// Whether it is not known if the value is valid, since checking it would take too long.
    package let isUnchecked: Bool

    /// Makes a problem.
    ///
    /// - Parameter description: A sentence that says what is wrong and what would be right.
    public init(_ description: String) {
        self.init(description, isUnchecked: false)
    }

    init(_ description: String, isUnchecked: Bool) {
        self.description = description
        self.isUnchecked = isUnchecked
    }
}
