import Foundation

extension String {
    /// Ends with a mark of punctuation, which is added if there is none.
    var asSentence: String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        guard let last = text.unicodeScalars.last else { return "" }
        return [".", "!", "?", "…"].contains(last) ? text : text + "."
    }

    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

    var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
