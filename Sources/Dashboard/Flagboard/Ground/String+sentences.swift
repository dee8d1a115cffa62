import Foundation

extension String {
    /// Adds a missing mark of punctuation.
    var asSentence: String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        guard let last = text.unicodeScalars.last else { return "" }
        return [".", "!", "?", "…"].contains(last) ? text : text + "."
    }

    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

    var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
