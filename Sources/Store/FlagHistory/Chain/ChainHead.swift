import Foundation

/// The last row of a chain at some time.
///
/// Kept elsewhere (in a ticket, in git, on paper), it later proves that no row up
/// to it was removed or rewritten: see ``HistoryStore/verifyChain(expecting:)``.
public struct ChainHead: Hashable, Sendable {
    /// The id of the row, which is also the number of rows; 0 where there is none.
    public var id: Int64
    /// The row's hash, 32 bytes; zeros where there is none.
    public var hash: Data

    /// The head of a history without rows.
    public static let empty = ChainHead(id: 0, hash: Data(repeating: 0, count: 32))

    /// Makes a head.
    public init(id: Int64, hash: Data) {
        self.id = id
        self.hash = hash
    }
}
