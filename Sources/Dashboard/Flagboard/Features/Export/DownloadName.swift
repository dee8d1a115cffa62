/// The name of a file that a browser saves.
enum DownloadName {
    /// The letters and digits of a text that every system takes in a name, without an ending: `new_flow` becomes `newFlow`.
    ///
    /// - Parameter fallback: The name for a text that has no letter or digit, and what precedes one that begins with a digit.
    static func plain(_ text: String, or fallback: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let joined = words.enumerated().map { place, word in
            place == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
        guard let first = joined.first else { return fallback }
        return first.isNumber ? fallback + joined : joined
    }
}
