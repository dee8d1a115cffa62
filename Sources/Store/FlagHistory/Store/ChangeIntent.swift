import Foundation

/// Changes that are about to be installed, together, into one file or several.
///
/// It is durable before any file changes, and removed together with the rows that say how it ended. One that is found at
/// start-up tells of a crash in between, and all of its files are decided together.
public struct ChangeIntent: Hashable, Sendable, Identifiable {
    /// What names an intent; never used twice.
    public typealias ID = Int64

    /// A file that is about to be replaced.
    public struct File: Hashable, Sendable {
        /// What the file is for.
        public var role: FileRole
        /// Where it is.
        public var path: String
        /// The name of the temporary file, in the same folder, that holds the new content.
        public var temporaryName: String
        /// SHA-256 of the content before, 32 bytes.
        public var hashBefore: Data
        /// SHA-256 of the content after, 32 bytes.
        public var hashAfter: Data
        /// What turns the content before into the one after, to be followed in the ``FileHead/content`` of the file; `nil` keeps
        /// the hash alone.
        public var edit: ContentEdit?

        /// Names a file that is about to be replaced.
        public init(
            role: FileRole, path: String, temporaryName: String, hashBefore: Data, hashAfter: Data,
            edit: ContentEdit? = nil
        ) {
            self.role = role
            self.path = path
            self.temporaryName = temporaryName
            self.hashBefore = hashBefore
            self.hashAfter = hashAfter
            self.edit = edit
        }
    }

    /// What ``HistoryStore/begin(_:)`` gave it; 0 before.
    public internal(set) var id: ID = 0
    /// The files, in the order in which they are replaced.
    public var files: [File]
    /// The rows that the changes will add.
    public var events: [HistoryEvent]
    /// What the requests that the changes come from will be answered, where they are to be recognised when repeated.
    public var answers: [RequestAnswer]
    /// When, in UTC; kept to the microsecond.
    public var at: Date

    /// Makes an intent that has not begun.
    public init(files: [File], events: [HistoryEvent], answers: [RequestAnswer] = [], at: Date) {
        self.files = files
        self.events = events
        self.answers = answers
        self.at = at
    }
}

/// What a request with an idempotency key is answered, so that a repeated one gets the same.
public struct RequestAnswer: Hashable, Codable, Sendable {
    /// Who asked; two actors may use one key for different requests.
    public var actor: String
    /// What the asker calls the request.
    public var idempotencyKey: String
    /// SHA-256 of what was asked for, 32 bytes: a repeated request has the same.
    public var request: Data
    /// For each change of the request, the place of its row among the events that are written with the answer; `nil`
    /// where it changed nothing.
    public var events: [Int?]

    /// Makes an answer.
    public init(actor: String, idempotencyKey: String, request: Data, events: [Int?]) {
        self.actor = actor
        self.idempotencyKey = idempotencyKey
        self.request = request
        self.events = events
    }
}

/// A ``RequestAnswer`` as it was kept.
public struct KeptAnswer: Hashable, Sendable {
    /// SHA-256 of what was asked for, 32 bytes.
    public let request: Data
    /// For each change of the request, its row; `nil` where it changed nothing.
    public let records: [HistoryRecord?]
}
