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
