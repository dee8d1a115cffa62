import HTTPTypes

/// A mistake in a form, whatever the flags are.
struct FormError<Place: Hashable & Sendable>: Error, Hashable {
    /// The problem and its remedy, in sentences.
    let text: String
    /// `nil` for the whole form.
    let place: Place?
    let status: HTTPResponse.Status

    init(_ text: String, at place: Place? = nil, _ status: HTTPResponse.Status = .unprocessableContent) {
        (self.text, self.place, self.status) = (text, place, status)
    }
}

struct UnreadableFormError: Error, Hashable, CustomStringConvertible {
    /// In a sentence.
    let description: String

    private init(_ description: String) { self.description = description }

    static let malformed = UnreadableFormError("The form fields must be URL-encoded UTF-8.")
    static let severalFiles = UnreadableFormError("Select only one file.")

    static func notMultipart(_ fault: String) -> UnreadableFormError {
        UnreadableFormError("The form isn’t valid multipart/form-data: \(fault).")
    }

    static func repeated(_ name: String) -> UnreadableFormError {
        UnreadableFormError("The field \(name) can only be sent once.")
    }

    static func tooMany(_ maximum: Int) -> UnreadableFormError {
        UnreadableFormError("The form has more than \(maximum) fields.")
    }
}
