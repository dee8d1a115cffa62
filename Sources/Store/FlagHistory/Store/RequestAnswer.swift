import Foundation

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
