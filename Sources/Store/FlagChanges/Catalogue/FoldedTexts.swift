import FeatureFlags
import Foundation
import Synchronization

final class FoldedTexts: Sendable {
    private enum State {
        case entries([FlagEntry], [FlagKeyPath: FlagCollectionDefinition])
        case folded([FoldedRun])
    }

    private let state: Mutex<State>

    init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        state = Mutex(.entries(entries, collections))
    }

    private init(_ runs: [FoldedRun]) { state = Mutex(.folded(runs)) }

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
        let groups = collections.isEmpty ? [] : entry.definition.groups.compactMap { collections[$0]?.name }
        return FlagSearchIndex.folded((fields(of: entry.definition) + groups).joined(separator: "\n"))
    }

    static func fields(of definition: FlagDefinition) -> [String] {
        [definition.key.text, definition.displayName, definition.metadata.description] + definition.metadata.tags
            + [definition.group?.text].compactMap(\.self)
    }
}

/// The folded texts of adjacent flags in one block, so that a search scans bytes.
struct FoldedRun: Sendable {
    private static let size = 256
    /// Follows each text; no text holds this byte, so no match spans two texts.
    private static let end: UInt8 = 0xFF

    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    private init(_ texts: some Collection<some Collection<UInt8>>) {
        for text in texts {
            bytes.append(contentsOf: text)
            ends.append(bytes.count)
            bytes.append(Self.end)
        }
    }

    var count: Int { ends.count }

    static func runs(of texts: [some Collection<UInt8>]) -> [FoldedRun] {
        stride(from: 0, to: texts.count, by: size).map { FoldedRun(texts[$0..<min($0 + size, texts.count)]) }
    }

    static func runs(
        _ runs: [FoldedRun], changedBy splice: ListSplice, inserting inserted: [[UInt8]]
    ) -> [FoldedRun] {
        guard !runs.isEmpty else { return Self.runs(of: inserted) }
        var changed: [FoldedRun] = []
        var start = 0
        for (number, run) in runs.enumerated() {
            // Flags inserted after all others go into the last run.
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

    /// Passes on the run-relative index of each flag that contains the folded, non-empty word.
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
