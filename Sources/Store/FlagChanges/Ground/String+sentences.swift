import Foundation

extension String {
    package var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// Adds a missing mark of punctuation.
    package var asSentence: String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        guard let last = text.unicodeScalars.last else { return "" }
        return [".", "!", "?", "…"].contains(last) ? text : text + "."
    }

    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
