import Foundation

extension String {
    /// The text with a full stop, unless it ends like a sentence.
    var asSentence: String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        guard let last = text.unicodeScalars.last else { return "" }
        return [".", "!", "?", "…"].contains(last) ? text : text + "."
    }

    /// The text as it stands within a sentence.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
