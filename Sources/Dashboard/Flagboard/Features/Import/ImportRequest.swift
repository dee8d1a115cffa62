import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

/// What the form of an import sends.
struct ImportRequest: Hashable, Sendable {
    /// How large the whole form may be, in bytes: the values, and a little for the rest.
    static let maximumBytes = ImportedValues.maximumBytes + 64 * 1024

    /// What was pasted.
    let text: String
    /// The bytes of the file that was chosen.
    let file: Data?
    /// The name of the field `mode` as it was sent; `merge` where there is none.
    let modeName: String
    let provider: String?

    /// Decodes a form, sent with a file or without.
    ///
    /// - Parameter maximum: How large the whole form may be, in bytes.
    init(_ request: Request, upTo maximum: Int = maximumBytes) async throws {
        let fields: [String: String]
        let sent = try await MultipartForm.sent(with: request, file: "file", upTo: maximum, else: Self.tooLarge)
        if let sent {
            fields = sent.values
            file = sent.file?.content
        } else {
            do {
                fields = try await FormFields(request, upTo: maximum).values
            } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
                throw Self.tooLarge
            }
            file = nil
        }
        text = fields["text"] ?? ""
        modeName = fields["mode"] ?? ImportPlan.Mode.merge.rawValue
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let tooLarge = RequestError(
        .contentTooLarge, title: "Too large",
        message:
            "At most \(ImportedValues.maximumBytes / 1024 / 1024) MiB are imported at once, so nothing was changed.",
        remedy: "Split the file, then import its parts one by one.")

    /// What happens to the values that the import doesn't hold.
    func mode() throws(ImportRequestError) -> ImportPlan.Mode {
        guard let mode = ImportPlan.Mode(rawValue: modeName) else { throw .unknownMode }
        return mode
    }

    /// The bytes to import: those of the file, else those that were pasted.
    func source() throws(ImportRequestError) -> Data {
        let isBlank = text.allSatisfy(\.isWhitespace)
        guard let file else {
            guard !isBlank else { throw .nothing }
            return Data(text.utf8)
        }
        guard isBlank else { throw .both }
        return file
    }
}

/// What is wrong with the form of an import, whatever the values are.
enum ImportRequestError: Error, Hashable, CustomStringConvertible {
    case nothing, both, unknownMode

    /// What is wrong and what to do, in sentences.
    var description: String {
        switch self {
        case .nothing: "There is nothing to import. Choose a file, or paste its text."
        case .both: "There is both a file and a text. Empty the text, or choose no file."
        case .unknownMode: "Choose how to import: merge, replace or add."
        }
    }
}
