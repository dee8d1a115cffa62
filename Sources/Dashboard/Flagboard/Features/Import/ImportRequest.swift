import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

struct ImportRequest: Hashable, Sendable {
    /// In bytes: the values and 64 KiB for the other fields.
    static let maximumBytes = ImportedValues.maximumBytes + 64 * 1024

    let text: String
    let file: Data?
    /// `merge` by default.
    let modeName: String
    let provider: String?

    /// - Parameter maximum: The largest form, in bytes.
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
            "An import can be up to \(ImportedValues.maximumBytes / 1024 / 1024) MB. Nothing was changed.",
        remedy: "Split the file and import the parts one by one.")

    func mode() throws(FormError<Never>) -> ImportPlan.Mode {
        guard let mode = ImportPlan.Mode(rawValue: modeName) else {
            throw FormError("Choose a mode: merge, replace or add.")
        }
        return mode
    }

    /// Prefers the file to the pasted text.
    func source() throws(FormError<Never>) -> Data {
        let isBlank = text.allSatisfy(\.isWhitespace)
        guard let file else {
            guard !isBlank else {
                throw FormError("Choose a file or paste text.")
            }
            return Data(text.utf8)
        }
        guard isBlank else {
            throw FormError("Choose a file or paste text, not both.")
        }
        return file
    }
}
