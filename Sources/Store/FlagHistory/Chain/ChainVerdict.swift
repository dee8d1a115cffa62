import Foundation

/// What a check of the whole chain found.
public enum ChainVerdict: Hashable, Sendable {
    /// Every row follows from the one before. `count` is the number of rows; `head` the hash of the last one, 32 bytes,
    /// zeros where there is none.
    case sound(count: Int, head: Data)
    /// The row of the id `at` is the first one that is not right, or is missing; `reason` is a sentence.
    case broken(at: Int64, reason: String)
}
