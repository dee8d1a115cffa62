import DurableFiles
import Foundation

/// What shows a server who asks: a token that goes along with each request (`Authorization: Bearer`).
///
/// ```swift
/// let credential = RemoteCredential.bearer(file: URL(fileURLWithPath: "/run/secrets/flags-token"))
/// ```
///
/// It is got anew for each request, so that it can be replaced while the app runs. It is sent to the origin that is asked alone, and
/// over `http` anybody on the way can read it.
public struct RemoteCredential: Sendable {
    private let token: @Sendable () async throws -> String

    /// The most bytes of a token.
    private static let maximumSize = 16_384

    /// A token from the app.
    ///
    /// - Parameter token: Gets the token, for each request.
    /// - Returns: The credential.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> RemoteCredential {
        RemoteCredential(token: token)
    }

    /// A token in a file, where a program that renews it can put another one.
    ///
    /// - Parameter file: The file, which is read for each request; spaces and line ends around the token are left out.
    /// - Returns: The credential.
    public static func bearer(file: URL) -> RemoteCredential {
        RemoteCredential {
            let content = try AtomicFile.read(file, maximumSize: maximumSize).data
            return String(decoding: content, as: UTF8.self)
        }
    }

    /// What goes into the header `Authorization`.
    func field() async throws(RemoteError) -> String {
        let text: String
        do {
            text = try await token().trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw .credential("there is no token to ask with: \(error)")
        }
        guard !text.isEmpty else { throw .credential("the token to ask with is empty; put one there") }
        // RFC 6750, 2.1, and whatever else is printed in ASCII: a line end would begin another header.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .credential(
                "the token to ask with holds spaces or characters that are not ASCII; put a token there alone")
        }
        return "Bearer \(text)"
    }
}
