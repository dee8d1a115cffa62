/// The first and the last byte of a word, which are looked for together, at 32 places at a time: texts have many letters
/// in common with a word, and few pairs of them as far from each other.
struct WordEnds {
    private typealias Block = SIMD4<UInt64>

    private let first: UInt8
    private let last: UInt8
    /// How far the last one is from the first.
    private let distance: Int

    /// `nil` for a word of no bytes.
    init?(of word: UnsafeRawBufferPointer) {
        guard let first = word.first, let last = word.last else { return nil }
        (self.first, self.last, distance) = (first, last, word.count - 1)
    }

    /// The first place at which both of them stand.
    ///
    /// - Parameter start: From where on.
    /// - Returns: `nil` where there is none.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let end = bytes.count - distance
        let (ones, highest) = (Self.repeated(0x01), Self.repeated(0x80))
        let firsts = Block(repeating: Self.repeated(first))
        let lasts = Block(repeating: Self.repeated(last))
        let size = MemoryLayout<Block>.size
        var place = start
        while place + size <= end {
            // A byte of it is 0 where both stand.
            let differences =
                (bytes.loadUnaligned(fromByteOffset: place, as: Block.self) ^ firsts)
                | (bytes.loadUnaligned(fromByteOffset: place + distance, as: Block.self) ^ lasts)
            let (one, two, three, four) = (differences[0], differences[1], differences[2], differences[3])
            // The highest bits of all bytes tell whether any of them is 0.
            let borrowed =
                ((one &- ones) & ~one) | ((two &- ones) & ~two) | ((three &- ones) & ~three) | ((four &- ones) & ~four)
            if borrowed & highest != 0, let found = firstMatch(among: place..<place + size, of: bytes) { return found }
            place += size
        }
        return place < end ? firstMatch(among: place..<end, of: bytes) : nil
    }

    private func firstMatch(among places: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int? {
        places.first { bytes[$0] == first && bytes[$0 + distance] == last }
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) * 0x0101_0101_0101_0101 }
}
