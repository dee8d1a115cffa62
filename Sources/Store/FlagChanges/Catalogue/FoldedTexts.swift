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
    /// - Parameter word: The word, folded; not empty.
    func forEach(having word: [UInt8], _ body: (Int) -> Void) {
        bytes.withUnsafeBytes { bytes in
            word.withUnsafeBytes { word in
                guard let pattern = WordEnds(of: word), let wanted = word.baseAddress, let base = bytes.baseAddress
                else {
                    return
                }
                var (start, place) = (0, 0)
                while let position = pattern.first(in: bytes, from: start) {
                    guard memcmp(base + position, wanted, word.count) == 0 else {
                        start = position + 1
                        continue
                    }
                    while ends[place] < position { place += 1 }
                    body(place)
                    start = ends[place]
                }
            }
        }
    }
}
