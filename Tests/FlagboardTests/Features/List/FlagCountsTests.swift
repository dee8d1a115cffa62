import FeatureFlags
import FlagChanges
import Foundation
import Testing

@testable import Flagboard

@Suite("Counts of a catalogue")
struct FlagCountsTests {
    /// What the counts say, in a form to compare.
    private func told(_ counts: FlagCounts, _ view: CatalogueView) -> [String: Int] {
        var told: [String: Int] = [:]
        for (state, count) in counts.states { told["state \(state)"] = count }
        for (type, count) in counts.types { told["type \(type)"] = count }
        for (tag, count) in counts.tags { told["tag \(tag)"] = count }
        for (provider, count) in counts.providers { told["provider \(provider)"] = count }
        for (place, group) in counts.groups.all.enumerated() { told["group \(place) \(group.key)"] = group.count }
        for mark in FlagFilter.Mark.allCases { told["mark \(mark)"] = counts.count(of: mark, in: view) }
        return told
    }

    private func view(_ entries: [FlagEntry], unchanged: [FlagKeyPath: Date?] = [:]) -> CatalogueView {
        var view = Samples.view(Samples.catalogue(entries))
        view.unchanged = unchanged
        return view
    }

    private func entry(_ number: Int, _ random: inout some RandomNumberGenerator) -> FlagEntry {
        let past = Samples.now.addingTimeInterval(-60)
        let metadata = FlagMetadata(
            isLocked: .random(using: &random), requiresRestart: .random(using: &random),
            tags: Bool.random(using: &random) ? ["t\(Int.random(in: 0...3, using: &random))"] : [],
            expires: Bool.random(using: &random) ? past : nil, retired: Bool.random(using: &random) ? "why" : nil)
        let stored: [FlagValue?] = [.bool(true), .bool(false), .string("broken"), nil]
        return Samples.entry(
            "g\(number % 3)/f\(number)", .bool, default: .bool(false),
            stored: stored.randomElement(using: &random) ?? nil,
            metadata: metadata, isDefined: Int.random(in: 0...4, using: &random) > 0)
    }

    @Test("Carried on from change to change, they are what counting anew gives, and what the filters find")
    func carriedOn() {
        var random = SystemRandomNumberGenerator()
        var entries = (0..<30).map { entry($0, &random) }
        let known = KnownFlagCounts()
        for round in 0..<200 {
            switch round % 10 {
            case 8: entries.append(entry(100 + round, &random))
            case 9: entries.removeLast()
            default:
                let place = Int.random(in: 0..<30, using: &random)
                entries[place] = entry(place, &random)
            }
            let stale = entries.filter { $0.isDefined && $0.resolution.isOverridden }.prefix(5)
            let view = view(entries, unchanged: Dictionary(uniqueKeysWithValues: stale.map { ($0.key, nil) }))
            let carried = known.counts(of: FlagEntries(entries))
            #expect(told(carried, view) == told(FlagCounts(FlagEntries(entries)), view))
            for mark in FlagFilter.Mark.allCases {
                let found = FlagFilter(marks: [mark]).entries(of: view).count
                #expect((carried.count(of: mark, in: view) ?? 0) == found, "\(mark)")
            }
            for state in FlagFilter.State.allCases {
                #expect((carried.states[state] ?? 0) == FlagFilter(state: state).entries(of: view).count, "\(state)")
            }
        }
    }
}
