extension FlagKeyPath {
    /// A name for people, made from the last component: `new_checkout` and `newCheckout` read `New checkout`, and an
    /// acronym stays whole: `newURLFormat` reads `New URL format`.
    public var readableName: String {
        // Nearly every name is ASCII, whose letters take no look into the tables of Unicode.
        leaf.utf8.allSatisfy { $0 < 0x80 } ? Self.name(ofASCII: Array(leaf.utf8)) : Self.name(of: Array(leaf))
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

    private static func name(ofASCII letters: [UInt8]) -> String {
        let words = words(of: letters) { letter in
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
            case UInt8(ascii: "0")...UInt8(ascii: "9"): .number
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "), 0x09...0x0D: .separator
            default: .other
            }
        }
        guard let first = words.first else { return String(decoding: letters, as: UTF8.self) }
        let difference = UInt8(ascii: "a") - UInt8(ascii: "A")
        var name = Array(letters[first.range])
        if UInt8(ascii: "a")...UInt8(ascii: "z") ~= name[0] { name[0] -= difference }
        for word in words.dropFirst() {
            name.append(UInt8(ascii: " "))
            for letter in letters[word.range] {
                let isLowered = !word.isAcronym && UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter
                name.append(isLowered ? letter + difference : letter)
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    private enum Sort { case separator, upper, lower, number, other }

    private struct Word {
        let range: Range<Int>
        /// Whether it has several letters, all of them capitals or digits.
        let isAcronym: Bool
    }

    /// The words of a text: what separators and capitals part.
    private static func words<Letter>(of letters: [Letter], sort: (Letter) -> Sort) -> [Word] {
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
