import Foundation

extension ContentEdit {
    /// Finds what differs between two contents.
    ///
    /// Each stretch that differs becomes a splice where the lines behind it are the same again; what has no lines, or differs
    /// in too many, becomes one. So changes of flags that are far apart in a large file leave out what is between them.
    ///
    /// - Parameters:
    ///   - before: The content before.
    ///   - after: The content after.
    public init(from before: Data, to after: Data) {
        let splices = before.withUnsafeBytes { before in
            after.withUnsafeBytes { after in ContentComparison(before, after).splices() }
        }
        self.init(splices: splices)
    }
}

/// Two contents beside each other.
private struct ContentComparison {
    /// How many lines behind a difference are looked at for the ones that are the same again.
    private static let mostLines = 200
    /// So few bytes are not worth being told apart.
    private static let fewBytes = 256
    /// How many bytes are compared at a time.
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

    /// A splice begins where the ones before it have left the content, which is as it will be up to there.
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

    /// The nearest place behind a difference from which two lines are the same in both.
    private func nextMeeting(_ old: Range<Int>, _ new: Range<Int>) -> (old: Int, new: Int)? {
        let places = Dictionary(pairsOfLines(before, old), uniquingKeysWith: { first, _ in first })
        for (lines, place) in pairsOfLines(after, new) {
            if let known = places[lines] { return (known, place) }
        }
        return nil
    }

    /// Each line behind the one that a stretch begins in, with the one after it.
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
