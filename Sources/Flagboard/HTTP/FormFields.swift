import Foundation

/// The fields of a query string or of an `application/x-www-form-urlencoded` body.
struct FormFields: Hashable, Sendable {
    /// Each field's value by its name.
    let values: [String: String]

    /// Decodes fields.
    ///
    /// - Parameter encoded: Such as `q=dark+mode&state=on`.
    /// - Throws: ``FormFieldsError`` where it is not so encoded, or a field is there twice.
    init(_ encoded: some StringProtocol) throws(FormFieldsError) {
        var values: [String: String] = [:]
        for pair in encoded.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
                throw .malformed
            }
            guard values.updateValue(value, forKey: name) == nil else { throw .repeated(name) }
        }
        self.values = values
    }

    /// A field's value, or `nil` where there is none.
    subscript(name: String) -> String? { values[name] }

    private static func decode(_ text: some StringProtocol) -> String? {
        String(text).replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
}

/// Why the fields of a request can't be read.
enum FormFieldsError: Error, Hashable, CustomStringConvertible {
    case malformed
    case repeated(String)

    var description: String {
        switch self {
        case .malformed: "The form's fields are not URL-encoded UTF-8."
        case .repeated(let name): "The field \(name) is there twice; each may be sent once."
        }
    }
}
