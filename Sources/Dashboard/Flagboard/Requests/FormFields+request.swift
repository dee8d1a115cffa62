import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension FormFields {
    /// Reads the fields of a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Throws: ``RequestError`` (415) where it says to be no form, ``FormFieldsError``, or what says that the body is too
    ///   large (413).
    init(_ request: Request, upTo maximumBytes: Int) async throws {
        try self.init(bytes: try await Self.bytes(of: request, upTo: maximumBytes))
    }

    /// The body of a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Returns: Its bytes.
    /// - Throws: ``RequestError`` (415) where it says to be no form, or what says that the body is too large (413).
    static func bytes(of request: Request, upTo maximumBytes: Int) async throws -> ByteBufferView {
        guard isForm(request.headers) else { throw RequestError.notAForm }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes {
            throw HTTPError(.contentTooLarge)
        }
        return try await request.body.collect(upTo: maximumBytes).readableBytesView
    }

    private static func isForm(_ headers: HTTPFields) -> Bool {
        guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard parts[0] == "application/x-www-form-urlencoded" else { return false }
        return parts.dropFirst().allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }
}

/// A form in which one field may be there many times, as checkboxes of one name are.
struct ChoiceForm: Hashable, Sendable {
    /// How many flags one form may name.
    static let most = 10_000

    /// Every other field.
    let fields: FormFields
    /// The flags that were chosen, in the order of the form.
    let keys: [FlagKeyPath]

    /// How large such a form may be, in bytes.
    private static let maximumBytes = 4 * 1024 * 1024
    /// The name of the field that holds a flag's key path.
    private static let name = "key"

    /// Reads a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: Self.maximumBytes)
        let (keys, fields) = try FormFields.separating(Self.name, in: body, upTo: Self.most)
        self.fields = fields
        self.keys = try keys.map { text in
            guard let key = FlagKeyPath(text: text) else { throw FormFieldsError.malformed }
            return key
        }
    }
}

/// A form that was refused where its own page can't be shown, so that what was typed must stand on another.
struct RefusedForm: Error {
    /// Why.
    let cause: any Error
    /// The flag that it is about; `nil` for one that is yet to be defined.
    let key: FlagKeyPath?
    let typed: [TypedValue]
}
