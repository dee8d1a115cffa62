/// The difference of two texts by the longest common sequence of words.
struct WordDifference: Hashable, Sendable {
    enum Fate: Hashable, Sendable {
        case kept, removed, added
    }

    struct Piece: Hashable, Sendable {
        let fate: Fate
        let text: String
    }

    /// Kept and removed pieces make up the old text, kept and added ones the new text.
    let pieces: [Piece]

    /// Limit of compared pairs, so that no text delays a page.
    private static let mostPairs = 250_000

    /// `nil` if the differing parts are too long.
    init?(_ before: String, _ after: String) {
        let (old, new) = (Self.words(before), Self.words(after))
        let start = zip(old, new).prefix { Self.isSame($0, $1) }.count
        let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
            .prefix { Self.isSame($0, $1) }.count
        let (oldPart, newPart) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
        guard oldPart.count * newPart.count <= Self.mostPairs else { return nil }
        var pieces = [(Fate.kept, old[..<start].joined())]
        pieces += Self.difference(Array(oldPart), Array(newPart))
        pieces.append((.kept, old[(old.count - end)...].joined()))
        self.pieces = Self.joined(pieces)
    }

    /// Compares bytes: canonically equivalent spellings are different values.
    private static func isSame(_ word: Substring, _ other: Substring) -> Bool {
        word.utf8.elementsEqual(other.utf8)
    }

    /// Words, blanks and single other characters.
    static func words(_ text: String) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        var previous: Sort?
        for place in text.indices {
            let sort = Sort(text[place])
            if place > start, sort != previous || sort == .sign {
                words.append(text[start..<place])
                start = place
            }
            previous = sort
        }
        if start < text.endIndex { words.append(text[start...]) }
        return words
    }

    private enum Sort: Hashable {
        case word, blank, sign

        init(_ character: Character) {
            self = character.isLetter || character.isNumber ? .word : character.isWhitespace ? .blank : .sign
        }
    }

    private static func difference(_ old: [Substring], _ new: [Substring]) -> [(Fate, String)] {
        let width = new.count + 1
        var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                let place = row * width + column
                lengths[place] =
                    isSame(old[row], new[column])
                    ? lengths[place + width + 1] + 1 : max(lengths[place + width], lengths[place + 1])
            }
        }
        var pieces: [(Fate, String)] = []
        var (row, column) = (0, 0)
        while row < old.count || column < new.count {
            let place = row * width + column
            if row < old.count, column < new.count, isSame(old[row], new[column]) {
                pieces.append((.kept, String(old[row])))
                (row, column) = (row + 1, column + 1)
            } else if row < old.count, column == new.count || lengths[place + width] >= lengths[place + 1] {
                pieces.append((.removed, String(old[row])))
                row += 1
            } else {
                pieces.append((.added, String(new[column])))
                column += 1
            }
        }
        return pieces
    }

    /// Joins neighbours, removals before additions; a blank between two differences joins both.
    private static func joined(_ parts: [(Fate, String)]) -> [Piece] {
        var pieces: [Piece] = []
        var (removed, added) = ("", "")
        func flush() {
            if !removed.isEmpty { pieces.append(Piece(fate: .removed, text: removed)) }
            if !added.isEmpty { pieces.append(Piece(fate: .added, text: added)) }
            (removed, added) = ("", "")
        }
        for (place, (fate, text)) in parts.enumerated() where !text.isEmpty {
            switch fate {
            case .removed: removed += text
            case .added: added += text
            case .kept:
                let isBetween = !(removed.isEmpty && added.isEmpty) && text.allSatisfy(\.isWhitespace)
                let next = parts[(place + 1)...].first { !$0.1.isEmpty }
                if isBetween, let next, next.0 != .kept {
                    removed += text
                    added += text
                } else {
                    flush()
                    if let last = pieces.last, last.fate == .kept {
                        pieces[pieces.count - 1] = Piece(fate: .kept, text: last.text + text)
                    } else {
                        pieces.append(Piece(fate: .kept, text: text))
                    }
                }
            }
        }
        flush()
        return pieces
    }
}
