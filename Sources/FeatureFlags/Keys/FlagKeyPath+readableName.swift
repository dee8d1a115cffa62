extension FlagKeyPath {
    /// A name for people, made from the last component: `new_checkout` and `newCheckout` read `New checkout`, and an
    /// acronym stays whole: `newURLFormat` reads `New URL format`.
    public var readableName: String {
        let words = Self.words(of: leaf)
        guard let first = words.first else { return leaf }
        let rest = words.dropFirst().map { Self.isAcronym($0) ? $0 : $0.lowercased() }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + rest).joined(separator: " ")
    }

    private static func isAcronym(_ word: String) -> Bool {
        word.count > 1 && word.allSatisfy { $0.isUppercase || $0.isNumber }
    }

    private static func words(of text: String) -> [String] {
        let characters = Array(text)
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            if character == "_" || character == "-" || character == "." || character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previous = word.last
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let startsWord =
                character.isUppercase
                && (previous.map { !$0.isUppercase } ?? false
                    || previous?.isUppercase == true && next?.isLowercase == true)
            if startsWord {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
