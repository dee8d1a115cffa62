import Foundation

/// What is asked for.
struct RemoteRequest: Sendable {
    /// Where.
    let address: RemoteAddress
    /// What is sent along as JSON, by `POST`; `nil` for a `GET`.
    var content: Data?
    /// The media types of answers that can be read.
    var accepted: String
}

/// What a server answered.
struct RemoteAnswer: Sendable {
    /// Its body, with nothing packed.
    let body: Data
    /// Its `ETag`.
    let version: String?
    /// Its media type, without parameters.
    let mediaType: String?
}
