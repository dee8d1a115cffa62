import Foundation

extension ContentEdit {
    /// Makes the edit between two contents.
    ///
    /// A differing stretch becomes a splice if equal lines follow within a limit, so that distant changes in a large
    /// file leave out the bytes between them.
    package init(from before: Data, to after: Data) {
        let splices = before.withUnsafeBytes { before in
            after.withUnsafeBytes { after in ContentComparison(before, after).splices() }
        }
        self.init(splices: splices)
    }
}

private struct ContentComparison {
    /// The most lines after a difference searched for equal ones.
    private static let mostLines = 200
    private static let fewBytes = 256
    /// In bytes.
    private static let stride = 4096

    let before: UnsafeRawBufferPointer
    let after: UnsafeRawBufferPointer

    init(_ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer) {
        self.before = before
        self.after = after
    }

    func splices() -> [ContentEdit.Splice] {
        var (old, new) = (before.indices, after.indices)
        skipCommonStart(&old, &new)
        dropCommonEnd(&old, &new)
        var splices: [ContentEdit.Splice] = []
        while max(old.count, new.count) > Self.fewBytes, let meeting = nextMeeting(old, new) {
            var (oldPart, newPart) = (old.lowerBound..<meeting.old, new.lowerBound..<meeting.new)
            dropCommonEnd(&oldPart, &newPart)
            splices.append(splice(oldPart, newPart))
            (old, new) = (meeting.old..<old.upperBound, meeting.new..<new.upperBound)
            skipCommonStart(&old, &new)
        }
        return old.isEmpty && new.isEmpty ? splices : splices + [splice(old, new)]
    }

    /// Starts a splice at its offset in the content that earlier splices leave.
    private func splice(_ old: Range<Int>, _ new: Range<Int>) -> ContentEdit.Splice {
        ContentEdit.Splice(start: new.lowerBound, old: Data(before[old]), new: Data(after[new]))
    }

    private func skipCommonStart(_ old: inout Range<Int>, _ new: inout Range<Int>) {
        let most = min(old.count, new.count)
        var count = 0
        while count + Self.stride <= most, isSame(old.lowerBound + count, new.lowerBound + count, Self.stride) {
            count += Self.stride
        }
        while count < most, before[old.lowerBound + count] == after[new.lowerBound + count] { count += 1 }
        (old, new) = (old.dropFirst(count), new.dropFirst(count))
    }

    private func dropCommonEnd(_ old: inout Range<Int>, _ new: inout Range<Int>) {
        let most = min(old.count, new.count)
        var count = 0
        while count + Self.stride <= most {
            let next = count + Self.stride
            guard isSame(old.upperBound - next, new.upperBound - next, Self.stride) else { break }
            count = next
        }
        while count < most, before[old.upperBound - count - 1] == after[new.upperBound - count - 1] { count += 1 }
        (old, new) = (old.dropLast(count), new.dropLast(count))
    }

    private func isSame(_ old: Int, _ new: Int, _ count: Int) -> Bool {
        guard let before = before.baseAddress, let after = after.baseAddress else { return false }
        return memcmp(before + old, after + new, count) == 0
    }

    /// Returns the nearest place with two equal lines.
    private func nextMeeting(_ old: Range<Int>, _ new: Range<Int>) -> (old: Int, new: Int)? {
        let places = Dictionary(pairsOfLines(before, old), uniquingKeysWith: { first, _ in first })
        for (lines, place) in pairsOfLines(after, new) {
            if let known = places[lines] { return (known, place) }
        }
        return nil
    }

    /// Returns pairs of lines, after the first, with their starts.
    private func pairsOfLines(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [(lines: Data, place: Int)] {
        var starts: [Int] = []
        var place = range.lowerBound
        while starts.count < Self.mostLines,
            let end = bytes[place..<range.upperBound].firstIndex(of: UInt8(ascii: "\n"))
        {
            place = end + 1
            starts.append(place)
        }
        return zip(starts, starts.dropFirst(2)).map { start, end in (Data(bytes[start..<end]), start) }
    }
}
