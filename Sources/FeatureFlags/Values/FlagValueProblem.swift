/// Why a value is not valid for a flag: what was found, and what is wanted instead.
public struct FlagValueProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
    public let description: String

    /// Makes a problem.
    ///
    /// - Parameter description: A sentence that says what is wrong and what would be right.
    public init(_ description: String) {
        self.description = description
    }
}
