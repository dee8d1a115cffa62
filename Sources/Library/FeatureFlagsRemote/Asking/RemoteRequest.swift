import Foundation

/// What is asked for.
package struct RemoteRequest: Sendable {
    /// Where.
    let address: RemoteAddress
    /// What is sent along as JSON, by `POST`; `nil` for a `GET`.
    var content: Data?
    /// The media types of answers that can be read.
    var accepted: String

    /// Describes what is asked for.
    package init(address: RemoteAddress, content: Data? = nil, accepted: String) {
        (self.address, self.content, self.accepted) = (address, content, accepted)
    }
}

/// What a server answered.
package struct RemoteAnswer: Sendable {
    /// Its body, with nothing packed.
    package let body: Data
    /// Its `ETag`.
    package let version: String?
    /// Its media type, without parameters.
    let mediaType: String?
}
