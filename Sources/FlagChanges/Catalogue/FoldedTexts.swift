import FeatureFlags
import Foundation
import Synchronization

/// Each flag's key path, name, description, tags and group names, folded at the first search, in the order of the flags.
final class FoldedTexts: Sendable {
    private enum State {
        /// What the texts are to be made of.
        case entries([FlagEntry], [FlagKeyPath: FlagCollectionDefinition])
        case folded([FoldedRun])
    }

    private let state: Mutex<State>

    /// Takes note of flags.
    init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        state = Mutex(.entries(entries, collections))
    }

    private init(_ runs: [FoldedRun]) { state = Mutex(.folded(runs)) }

    /// The texts, in the order of the flags.
    var runs: [FoldedRun] {
        state.withLock { state in
            switch state {
            case .folded(let runs): return runs
            case .entries(let entries, let collections):
                let runs = FoldedRun.runs(of: entries.map { Self.text(of: $0, collections) })
                state = .folded(runs)
                return runs
            }
        }
    }

    /// The texts of the same flags, but for some; those that are folded stay so.
    func changed(
        by splice: ListSplice, inserting inserted: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> FoldedTexts {
        state.withLock { state in
            switch state {
            case .folded(let runs):
                let texts = inserted.map { Self.text(of: $0, collections) }
                return FoldedTexts(FoldedRun.runs(runs, changedBy: splice, inserting: texts))
            case .entries(let entries, _):
                return FoldedTexts(splice.applied(to: entries, inserting: inserted), collections)
            }
        }
    }

    private static func text(
        of entry: FlagEntry, _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> [UInt8] {
        let groups = collections.isEmpty ? [] : entry.key.ancestors.compactMap { collections[$0]?.name }
        return FlagSearchIndex.folded((fields(of: entry.definition) + groups).joined(separator: "\n"))
    }

    /// What of a flag's definition it is searched by.
    static func fields(of definition: FlagDefinition) -> [String] {
        [definition.key.text, definition.displayName, definition.metadata.description] + definition.metadata.tags
    }
}

/// The folded texts of some flags that follow each other, in one block, so that a search passes over bytes and not over flags.
struct FoldedRun: Sendable {
    /// How many flags a run has at most.
    private static let size = 256
    /// What follows each text: a byte that no text holds, so that no word is found across two of them.
    private static let end: UInt8 = 0xFF

    private var bytes: [UInt8] = []
    /// Where each text ends, in order.
    private var ends: [Int] = []

    private init(_ texts: some Collection<some Collection<UInt8>>) {
        for text in texts {
            bytes.append(contentsOf: text)
            ends.append(bytes.count)
            bytes.append(Self.end)
        }
    }

    /// How many flags it is about.
    var count: Int { ends.count }

    /// The runs of texts.
    static func runs(of texts: [some Collection<UInt8>]) -> [FoldedRun] {
        stride(from: 0, to: texts.count, by: size).map { FoldedRun(texts[$0..<min($0 + size, texts.count)]) }
    }

    /// The runs of the same flags, but for some that were taken out and others that were put in; only those in which that
    /// happened are made anew.
    static func runs(
        _ runs: [FoldedRun], changedBy splice: ListSplice, inserting inserted: [[UInt8]]
    ) -> [FoldedRun] {
        guard !runs.isEmpty else { return Self.runs(of: inserted) }
        var changed: [FoldedRun] = []
        var start = 0
        for (number, run) in runs.enumerated() {
            // What is put in behind all flags goes to the last run.
            let end = number == runs.count - 1 ? .max : start + run.count
            let (part, elements) = splice.part(of: start..<end)
            if part.removed.isEmpty, elements.isEmpty {
                changed.append(run)
            } else {
                let texts = part.applied(to: run.texts, inserting: inserted[elements].map { $0[...] })
                changed += Self.runs(of: texts)
            }
            start += run.count
        }
        return changed
    }

    private var texts: [ArraySlice<UInt8>] {
        ends.indices.map { bytes[($0 == 0 ? 0 : ends[$0 - 1] + 1)..<ends[$0]] }
    }

    /// Calls a closure with the place in the run of each flag whose text has a word.
    ///
    /// - Parameters:
    ///   - word: The word, folded; not empty.
    ///   - body: Called once for each, in order.
    func forEach(having word: [UInt8], _ body: (Int) -> Void) {
        bytes.withUnsafeBytes { bytes in
            word.withUnsafeBytes { word in
                guard let ends = WordEnds(of: word), let wanted = word.baseAddress, let base = bytes.baseAddress else {
                    return
                }
                var (start, place) = (0, 0)
                while let position = ends.first(in: bytes, from: start) {
                    guard memcmp(base + position, wanted, word.count) == 0 else {
                        start = position + 1
                        continue
                    }
                    while self.ends[place] < position { place += 1 }
                    body(place)
                    start = self.ends[place]
                }
            }
        }
    }
}

/// The first and the last byte of a word, which are looked for together, at 32 places at a time: texts have many letters
/// in common with a word, and few pairs of them as far from each other.
private struct WordEnds {
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
    /// - Parameters:
    ///   - bytes: What is looked through.
    ///   - start: From where on.
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
            if borrowed & highest != 0, let found = first(in: bytes, place..<place + size) { return found }
            place += size
        }
        return place < end ? first(in: bytes, place..<end) : nil
    }

    private func first(in bytes: UnsafeRawBufferPointer, _ places: Range<Int>) -> Int? {
        places.first { bytes[$0] == first && bytes[$0 + distance] == last }
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) * 0x0101_0101_0101_0101 }
}
