extension FlagKeyPath {
    /// A name for people, made from the last component: `new_checkout` and `newCheckout` read `New checkout`, and an
    /// acronym stays whole: `newURLFormat` reads `New URL format`.
    public var readableName: String {
        // Nearly every name is ASCII, whose letters take no look into the tables of Unicode.
        leaf.utf8.allSatisfy { $0 < 0x80 } ? ASCIIWords.name(of: leaf) : Self.name(of: Array(leaf))
    }

    private static func name(of letters: [Character]) -> String {
        let words = words(of: letters) { letter in
            if "_-.".contains(letter) || letter.isWhitespace { return .separator }
            return letter.isUppercase ? .upper : letter.isLowercase ? .lower : letter.isNumber ? .number : .other
        }
        guard let first = words.first else { return String(letters) }
        let rest = words.dropFirst().map { word in
            let text = String(letters[word.range])
            return word.isAcronym ? text : text.lowercased()
        }
        let start = letters[first.range]
        return ([start.prefix(1).map { $0.uppercased() }.joined() + String(start.dropFirst())] + rest)
            .joined(separator: " ")
    }

    fileprivate enum Sort { case separator, upper, lower, number, other }

    private struct Word {
        let range: Range<Int>
        /// Whether it has several letters, all of them capitals or digits.
        let isAcronym: Bool
    }

    /// The words of a text: what separators and capitals part.
    private static func words(of letters: [Character], sort: (Character) -> Sort) -> [Word] {
        let sorts = letters.map(sort)
        var words: [Word] = []
        var start = 0
        func end(at place: Int) {
            guard start < place else { return }
            let isAcronym = place - start > 1 && sorts[start..<place].allSatisfy { $0 == .upper || $0 == .number }
            words.append(Word(range: start..<place, isAcronym: isAcronym))
        }
        for place in sorts.indices {
            switch sorts[place] {
            case .separator:
                end(at: place)
                start = place + 1
            case .upper where place > start:
                let isBeforeLower = place + 1 < sorts.count && sorts[place + 1] == .lower
                guard sorts[place - 1] != .upper || isBeforeLower else { continue }
                end(at: place)
                start = place
            default: break
            }
        }
        end(at: sorts.count)
        return words
    }
}

/// The words of a name in ASCII, written one after the other while they are found: a list names hundreds of flags and groups.
private struct ASCIIWords {
    let letters: UnsafeBufferPointer<UInt8>

    /// The readable name.
    static func name(of text: String) -> String {
        var text = text
        return text.withUTF8 { letters in
            // Each word takes at most one space more than it has letters.
            String(unsafeUninitializedCapacity: letters.count * 2) { ASCIIWords(letters: letters).write(to: $0) }
        }
    }

    /// - Returns: How many bytes were written.
    private func write(to name: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = 0
        func append(_ byte: UInt8) {
            name.initializeElement(at: count, to: byte)
            count += 1
        }
        var start = 0
        while let word = word(from: start) {
            let isFirst = count == 0
            let isAcronym = word.count > 1 && word.allSatisfy { sort(at: $0) == .upper || sort(at: $0) == .number }
            if !isFirst { append(UInt8(ascii: " ")) }
            for place in word {
                switch sort(at: place) {
                case .lower where isFirst && place == word.lowerBound: append(letters[place] ^ Self.caseBit)
                case .upper where !isFirst && !isAcronym: append(letters[place] ^ Self.caseBit)
                default: append(letters[place])
                }
            }
            start = word.upperBound
        }
        if count == 0 { letters.forEach(append) }
        return count
    }

    /// The first word from a place on; `nil` where there is none.
    private func word(from place: Int) -> Range<Int>? {
        guard let start = (place..<letters.count).first(where: { sort(at: $0) != .separator }) else { return nil }
        let end = (start + 1..<max(start + 1, letters.count)).first(where: isEnd) ?? letters.count
        return start..<end
    }

    /// Whether a word that began before a place ends there.
    private func isEnd(at place: Int) -> Bool {
        switch sort(at: place) {
        case .separator: true
        // The last capital of several begins a word where small letters follow it.
        case .upper:
            sort(at: place - 1) != .upper || place + 1 < letters.count && sort(at: place + 1) == .lower
        default: false
        }
    }

    /// What a letter differs in from its capital.
    private static let caseBit: UInt8 = 0x20

    private func sort(at place: Int) -> FlagKeyPath.Sort {
        switch letters[place] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "), 0x09...0x0D: .separator
        default: .other
        }
    }
}
