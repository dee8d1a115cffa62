import DurableFiles
import Foundation
import Synchronization

package protocol KeptFileDocument: KeptDocument {
    associatedtype Content: Sendable

    static var kind: KeptFileKind { get }
    static var empty: Content { get }

    init(_ content: Content)

    func content() throws(PlainError) -> Content
}

package struct KeptFileKind: Hashable, Sendable {
    /// The words after "no file", such as `of tokens`.
    let name: String
    let remedy: String
    /// The reason why nobody else may read the file, as a clause; `nil` if others may.
    let secrecy: String?

    package init(_ name: String, remedy: String, secrecy: String? = nil) {
        (self.name, self.remedy, self.secrecy) = (name, remedy, secrecy)
    }
}

/// A small JSON file beside the values, shared by the server and the command line.
///
/// It is reread only after changes, and written under a lock.
///
/// ```swift
/// let searches = KeptFile<SearchesDocument>(files.searches)
/// try await searches.edit { $0 + [search] }
/// ```
package final class KeptFile<Document: KeptFileDocument>: Sendable {
    private let given: URL
    private let path: String
    private let patience: Duration
    private let seen = Mutex<(file: AtomicFile.Contents, content: Document.Content)?>(nil)

    package init(_ url: URL, patience: Duration = .seconds(FolderLock.patience)) {
        given = url.absoluteURL
        path = given.path(percentEncoded: false)
        self.patience = patience
    }

    /// Where the path leads now: a link, such as that of a Kubernetes volume, may be pointed elsewhere.
    package var url: URL { AtomicFile.target(of: given) }

    /// Returns the content, empty without a file.
    package func content() throws(KeptFileError) -> Document.Content {
        let file: AtomicFile.Contents
        do throws(FileAccessError) {
            if let known = seen.withLock(\.self), known.file.isSettled,
                AtomicFile.look(atPath: path) == known.file.signature
            {
                return known.content
            }
            guard let read = try AtomicFile.readIfThere(given, maximumSize: FlagFiles.maximumKeptSize) else {
                return Document.empty
            }
            file = read
        } catch {
            throw .file(error)
        }
        if let secrecy = Document.kind.secrecy, file.signature.mode & 0o077 != 0 {
            throw .open(path, mode: file.signature.mode, secrecy)
        }
        do throws(PlainError) {
            let content = try Document.read(file.data).content()
            seen.withLock { $0 = (file, content) }
            return content
        } catch {
            throw .malformed(path, error.description, Document.kind)
        }
    }

    /// Changes the content under the folder's lock, durably.
    package func edit(
        _ change: (Document.Content) throws(KeptFileError) -> Document.Content
    ) async throws(KeptFileError) {
        let end = ContinuousClock.now + patience
        while true {
            let place = url
            let turn: FolderLock.Held
            do throws(FileAccessError) {
                turn = try await FolderLock.take(beside: [place], until: end)
            } catch {
                throw .file(error)
            }
            // A link may have been pointed elsewhere while waiting.
            let result: Result<Void, KeptFileError>? =
                url == place
                ? Result { () throws(KeptFileError) in try replace(with: try change(try content()), at: place) } : nil
            turn.end()
            if let result { return try result.get() }
        }
    }

    /// Replaces the content durably; the caller holds the lock.
    package func replace(with content: Document.Content) throws(KeptFileError) { try replace(with: content, at: url) }

    private func replace(with content: Document.Content, at url: URL) throws(KeptFileError) {
        do {
            try AtomicFile.replace(url, with: try Document(content).keptText(), mode: 0o600)
        } catch let error as FileAccessError {
            throw .file(error)
        } catch {
            throw .malformed(path, "\(error)", Document.kind)
        }
    }
}

extension Sequence {
    package func firstDuplicate(of name: (Element) -> String) -> String? {
        var known: Set<String> = []
        return lazy.map(name).first { !known.insert($0).inserted }
    }
}

package protocol KeptDocument: Codable {
    /// The version of the layout; 1 is the only one.
    var version: Int { get }
}

extension KeptDocument {
    package func keptText() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package static func read(_ text: Data) throws(PlainError) -> Self {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let document: Self
        do {
            document = try decoder.decode(Self.self, from: text)
        } catch let error as DecodingError {
            throw PlainError(error.fault)
        } catch {
            throw PlainError("\(error)")
        }
        guard document.version == 1 else {
            throw PlainError("version \(document.version) is not supported; only version 1 is")
        }
        return document
    }
}

/// An unusable file of tokens, searches or webhooks, or a refused change of one.
///
/// ```swift
/// do { try await tokens.revoke(name: "ada") } catch {
///     print(error)  // There is no token of the name ada.
/// }
/// ```
package struct KeptFileError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case file(FileAccessError)
        case open(path: String, mode: UInt32, secrecy: String)
        case malformed(path: String, problem: String, kind: KeptFileKind)
        case refused(String, field: String?)
        case unknown(String)
    }

    private let cause: Cause

    static func file(_ error: FileAccessError) -> KeptFileError { KeptFileError(cause: .file(error)) }

    static func open(_ path: String, mode: UInt32, _ secrecy: String) -> KeptFileError {
        KeptFileError(cause: .open(path: path, mode: mode, secrecy: secrecy))
    }

    static func malformed(_ path: String, _ problem: String, _ kind: KeptFileKind) -> KeptFileError {
        KeptFileError(cause: .malformed(path: path, problem: problem, kind: kind))
    }

    /// Refuses an invalid change; `field` is the request's field at fault, if a single one is.
    package static func refused(_ problem: String, field: String? = nil) -> KeptFileError {
        KeptFileError(cause: .refused(problem, field: field))
    }

    package static func unknown(_ problem: String) -> KeptFileError { KeptFileError(cause: .unknown(problem)) }

    package var field: String? {
        if case .refused(_, let field) = cause { field } else { nil }
    }

    package var isUnknown: Bool {
        if case .unknown = cause { true } else { false }
    }

    package var isRequestAtFault: Bool {
        switch cause {
        case .refused, .unknown: true
        case .file, .open, .malformed: false
        }
    }

    package var description: String {
        switch cause {
        case .file(let error): error.description
        case .open(let path, let mode, let secrecy):
            "other users can read or write \(path) (mode \(String(mode, radix: 8))), and \(secrecy). Run chmod 600 on "
                + "it."
        case .malformed(let path, let problem, let kind):
            "\(path) is not a valid \(kind.name) file: \(problem). \(kind.remedy)"
        case .refused(let problem, _), .unknown(let problem): problem
        }
    }
}

extension DecodingError {
    /// The problem and its place, as a clause: `tokens, number 2, role: this is of another type`.
    package var fault: String {
        let (context, missing) =
            switch self {
            case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context): (context, "wrong type")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(self)")
            }
        let place = context.codingPath.map { $0.intValue.map { "item \($0 + 1)" } ?? $0.stringValue }
        let text = missing.hasSuffix(".") ? String(missing.dropLast()) : missing
        return place.isEmpty ? text : "\(place.joined(separator: ", ")): \(text)"
    }
}
