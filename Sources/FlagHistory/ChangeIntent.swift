import Foundation

/// A change that is about to be installed into a file.
///
/// It is durable before the file changes, and removed together with the rows that say how it ended. One that is found at
/// start-up tells of a crash in between.
public struct ChangeIntent: Hashable, Sendable, Identifiable {
    /// What names an intent; never used twice.
    public typealias ID = Int64

    /// What ``HistoryStore/begin(_:)`` gave it; 0 before.
    public internal(set) var id: ID = 0
    /// What the file is for.
    public var role: FileRole
    /// Where that file is.
    public var path: String
    /// The name of the temporary file, in the same folder, that holds the new content.
    public var temporaryName: String
    /// SHA-256 of the file's content before, 32 bytes.
    public var hashBefore: Data
    /// SHA-256 of the file's content after, 32 bytes.
    public var hashAfter: Data
    /// The file's content after, to become the ``FileHead/content`` of the file; `nil` keeps the hash alone.
    public var contentAfter: Data?
    /// The rows that the change will add.
    public var events: [HistoryEvent]
    /// When, in UTC; kept to the microsecond.
    public var at: Date

    /// Makes an intent that has not begun.
    public init(
        role: FileRole, path: String, temporaryName: String, hashBefore: Data, hashAfter: Data,
        contentAfter: Data? = nil, events: [HistoryEvent], at: Date
    ) {
        self.role = role
        self.path = path
        self.temporaryName = temporaryName
        self.hashBefore = hashBefore
        self.hashAfter = hashAfter
        self.contentAfter = contentAfter
        self.events = events
        self.at = at
    }
}
