import DurableFiles
import Foundation
import Synchronization

/// The document of a file that is kept beside the values: tokens, searches, webhooks.
package protocol KeptFileDocument: KeptDocument {
    /// What the file is about.
    associatedtype Content: Sendable

    /// The words for a file that can't be used.
    static var kind: KeptFileKind { get }
    /// The content of a file that does not exist.
    static var empty: Content { get }

    /// Wraps what is to be kept.
    init(_ content: Content)

    /// What the document holds.
    ///
    /// - Throws: ``KeptDocumentError`` where its parts don't fit one another, such as two of one name.
    func content() throws(KeptDocumentError) -> Content
}

/// The words for a kind of file, where one can't be used.
package struct KeptFileKind: Hashable, Sendable {
    /// What such a file is, behind "no file": `of tokens`.
    let name: String
    /// What to do about one that is none, in a sentence.
    let remedy: String
    /// Why nobody else may read it, as a clause; `nil` where others may.
    let secrecy: String?

    /// Words a kind of file.
    package init(_ name: String, remedy: String, secrecy: String? = nil) {
        (self.name, self.remedy, self.secrecy) = (name, remedy, secrecy)
    }
}

/// A small JSON file beside the values, which the server and the command line read and write.
///
/// It is read again only where it is another one by now, and changed as a whole, in turns with other processes.
///
/// ```swift
/// let searches = KeptFile<SearchesDocument>(files.searches)
/// try await searches.edit { $0 + [search] }
/// ```
package final class KeptFile<Document: KeptFileDocument>: Sendable {
    /// Where the file is, or will be; of a symbolic link, where it leads.
    package let url: URL
    private let path: String
    /// The longest wait of a change for other programs that write in the folder.
    private let patience: Duration
    private let seen = Mutex<(file: AtomicFile.Contents, content: Document.Content)?>(nil)

    /// Names the file.
    ///
    /// - Parameter url: The file; a symbolic link stands for what it leads to.
    package init(_ url: URL, patience: Duration = .seconds(FolderLock.patience)) {
        self.url = AtomicFile.target(of: url)
        path = self.url.path(percentEncoded: false)
        self.patience = patience
    }

    /// What the file holds now.
    ///
    /// - Throws: ``KeptFileError`` where the file can't be read, is open to others, or is of another kind.
    package func content() throws(KeptFileError) -> Document.Content {
        let file: AtomicFile.Contents
        do throws(FileAccessError) {
            if let known = seen.withLock(\.self), known.file.isSettled,
                AtomicFile.look(atPath: path) == known.file.signature
            {
                return known.content
            }
            guard let read = try AtomicFile.readIfThere(url, maximumSize: FlagFiles.maximumKeptSize) else {
                return Document.empty
            }
            file = read
        } catch {
            throw .file(error)
        }
        if let secrecy = Document.kind.secrecy, file.signature.mode & 0o077 != 0 {
            throw .open(path, mode: file.signature.mode, secrecy)
        }
        do throws(KeptDocumentError) {
            let content = try Document.read(file.data).content()
            seen.withLock { $0 = (file, content) }
            return content
        } catch {
            throw .malformed(path, error.fault, Document.kind)
        }
    }

    /// Changes what the file holds while no other process does so, durable before it returns.
    ///
    /// - Throws: ``KeptFileError`` where the file can't be read or written; what the change throws. Nothing is changed then.
    package func edit(
        _ change: (Document.Content) throws(KeptFileError) -> Document.Content
    ) async throws(KeptFileError) {
        let turn: FolderLock.Held
        do throws(FileAccessError) {
            turn = try await FolderLock.take(beside: [url], until: .now + patience)
        } catch {
            throw .file(error)
        }
        let result = Result { () throws(KeptFileError) in try replace(with: try change(try content())) }
        turn.end()
        try result.get()
    }

    /// Replaces what the file holds, durable before it returns, where no other process writes it.
    ///
    /// - Throws: ``KeptFileError`` where the file can't be written.
    package func replace(with content: Document.Content) throws(KeptFileError) {
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
    /// The first name that two elements share; `nil` if all names differ.
    package func firstDuplicate(of name: (Element) -> String) -> String? {
        var known: Set<String> = []
        return lazy.map(name).first { !known.insert($0).inserted }
    }
}

/// What a file holds as JSON that is kept beside the values, and that a person may have edited: the version of its layout, and more.
package protocol KeptDocument: Codable {
    /// The version of the layout; 1 is the only one.
    var version: Int { get }
}

extension KeptDocument {
    /// The document as the file holds it.
    ///
    /// - Returns: JSON in UTF-8, indented, its members sorted, times as ISO 8601 has them, and a line end.
    package func keptText() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Reads what a file holds.
    ///
    /// - Throws: ``KeptDocumentError`` where it is none, or of another version.
    package static func read(_ text: Data) throws(KeptDocumentError) -> Self {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let document: Self
        do {
            document = try decoder.decode(Self.self, from: text)
        } catch let error as DecodingError {
            throw KeptDocumentError(fault: error.fault)
        } catch {
            throw KeptDocumentError(fault: "\(error)")
        }
        guard document.version == 1 else {
            throw KeptDocumentError(fault: "its version is \(document.version), and only 1 is known")
        }
        return document
    }
}

/// What is wrong with a document that is kept in a file.
package struct KeptDocumentError: Error {
    /// It as a clause, with where it is.
    package let fault: String

    /// Says what is wrong.
    package init(fault: String) { self.fault = fault }
}

/// Why a file of tokens, searches or webhooks can't be used, or why a change of it is refused.
///
///     do {
///         try await tokens.revoke(name: "ada")
///     } catch {
///         print(error)  // There is no token of the name ada.
///     }
public struct KeptFileError: Error, Hashable, Sendable, CustomStringConvertible {
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

    /// A change that what the file holds does not allow.
    ///
    /// - Parameter field: The part of the request that is at fault; `nil` for none alone.
    package static func refused(_ problem: String, field: String? = nil) -> KeptFileError {
        KeptFileError(cause: .refused(problem, field: field))
    }

    /// A change of something that the file does not hold: what there is not, and what to do, in sentences.
    package static func unknown(_ problem: String) -> KeptFileError { KeptFileError(cause: .unknown(problem)) }

    /// The part of the request that is at fault; `nil` where it is none alone.
    package var field: String? {
        if case .refused(_, let field) = cause { field } else { nil }
    }

    /// Whether the request is about something that the file does not hold.
    package var isUnknown: Bool {
        if case .unknown = cause { true } else { false }
    }

    /// Whether the request is at fault, not the file.
    package var isRequestAtFault: Bool {
        switch cause {
        case .refused, .unknown: true
        case .file, .open, .malformed: false
        }
    }

    /// Which file, what is wrong, and what to do.
    public var description: String {
        switch cause {
        case .file(let error): error.description
        case .open(let path, let mode, let secrecy):
            "\(path) can be read or written by others (mode \(String(mode, radix: 8))), and \(secrecy): make it yours alone "
                + "with chmod 600."
        case .malformed(let path, let problem, let kind): "\(path) is no file \(kind.name): \(problem). \(kind.remedy)"
        case .refused(let problem, _), .unknown(let problem): problem
        }
    }
}

extension DecodingError {
    /// What is wrong in JSON that a person may have edited, and where, as a clause: `tokens, number 2, role: this is of another type`.
    package var fault: String {
        let (context, missing) =
            switch self {
            case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context): (context, "this is of another type")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(self)")
            }
        let place = context.codingPath.map { $0.intValue.map { "number \($0 + 1)" } ?? $0.stringValue }
        let text = missing.hasSuffix(".") ? String(missing.dropLast()) : missing
        return place.isEmpty ? text : "\(place.joined(separator: ", ")): \(text)"
    }
}
