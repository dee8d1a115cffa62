extension FlagKeyPath {
    /// A name for people, made from the last component.
    ///
    /// `new_checkout` and `newCheckout` become `New checkout`; acronyms are kept: `newURLFormat` becomes `New URL
    /// format`.
    public var readableName: String {
        // Nearly all names are ASCII, which needs no Unicode tables, and a list shows hundreds of names.
        leaf.utf8.allSatisfy { $0 < 0x80 } ? Self.name(ofASCII: leaf) : Self.name(of: Array(leaf))
    }

    private static func name(of letters: [Character]) -> String {
        let words = NameWords(letters: letters)
        var texts: [String] = []
        var start = 0
        while let word = words.next(from: start) {
            let text = String(letters[word])
            let isKept = texts.isEmpty || words.isAcronym(word)
            texts.append(isKept ? text : text.lowercased())
            start = word.upperBound
        }
        guard let first = texts.first else { return String(letters) }
        texts[0] = first.prefix(1).uppercased() + first.dropFirst()
        return texts.joined(separator: " ")
    }

    private static func name(ofASCII text: String) -> String {
        var text = text
        return text.withUTF8 { letters in
            // Each word adds at most one space to its letters.
            String(unsafeUninitializedCapacity: letters.count * 2) { write(NameWords(letters: letters), to: $0) }
        }
    }

    /// Writes a name's words as they are found, and returns the number of bytes.
    private static func write(
        _ words: NameWords<UnsafeBufferPointer<UInt8>>, to name: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        // The bit in which a letter differs from its capital.
        let caseBit: UInt8 = 0x20
        var count = 0
        func append(_ byte: UInt8) {
            name.initializeElement(at: count, to: byte)
            count += 1
        }
        var start = 0
        while let word = words.next(from: start) {
            let isFirst = count == 0
            let isKept = isFirst || words.isAcronym(word)
            if !isFirst { append(UInt8(ascii: " ")) }
            for place in word {
                let letter = words.letters[place]
                switch letter.sort {
                case .lower where isFirst && place == word.lowerBound: append(letter ^ caseBit)
                case .upper where !isKept: append(letter ^ caseBit)
                default: append(letter)
                }
            }
            start = word.upperBound
        }
        if count == 0 { words.letters.forEach(append) }
        return count
    }
}

private struct NameWords<Letters: RandomAccessCollection> where Letters.Index == Int, Letters.Element: NameLetter {
    /// Letters with indices from 0.
    let letters: Letters

    /// Returns the first word from a place on; `nil` for none.
    func next(from place: Int) -> Range<Int>? {
        guard let start = (place..<letters.count).first(where: { letters[$0].sort != .separator }) else { return nil }
        return start..<((start + 1..<letters.count).first(where: isEnd) ?? letters.count)
    }

    /// `true` for a word of several letters, all capitals or digits.
    func isAcronym(_ word: Range<Int>) -> Bool {
        word.count > 1 && word.allSatisfy { letters[$0].sort == .upper || letters[$0].sort == .number }
    }

    /// `true` if a word that began earlier ends before this place.
    private func isEnd(at place: Int) -> Bool {
        switch letters[place].sort {
        case .separator: true
        // The last of several capitals begins a word if small letters follow it.
        case .upper:
            letters[place - 1].sort != .upper || place + 1 < letters.count && letters[place + 1].sort == .lower
        default: false
        }
    }
}

private enum LetterSort { case separator, upper, lower, number, other }

private protocol NameLetter {
    var sort: LetterSort { get }
}

extension Character: NameLetter {
    fileprivate var sort: LetterSort {
        if "_-.".contains(self) || isWhitespace { return .separator }
        return isUppercase ? .upper : isLowercase ? .lower : isNumber ? .number : .other
    }
}

extension UInt8: NameLetter {
    fileprivate var sort: LetterSort {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "), 0x09...0x0D: .separator
        default: .other
        }
    }
}
