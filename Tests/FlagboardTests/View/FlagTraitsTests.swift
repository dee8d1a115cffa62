import FeatureFlags
import FlagChanges
import Foundation
import Testing

@testable import Flagboard

@Suite("What a list is narrowed by")
struct FlagTraitsTests {
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

    @Test("Carried on from change to change, the traits find and count what looking at each flag anew does")
    func carriedOn() {
        var random = SystemRandomNumberGenerator()
        var entries = (0..<30).map { entry($0, &random) }
        let known = KnownTraits()
        for round in 0..<200 {
            switch round % 10 {
            case 8: entries.append(entry(100 + round, &random))
            case 9: entries.removeLast()
            default:
                let place = Int.random(in: 0..<30, using: &random)
                entries[place] = entry(place, &random)
            }
            let stale = entries.filter { $0.isDefined && $0.resolution.isOverridden }.prefix(5)
            var view = self.view(entries, unchanged: Dictionary(uniqueKeysWithValues: stale.map { ($0.key, nil) }))
            view.knownTraits = known
            view.memory.editedOutside = Set(entries.indices.filter { $0 % 7 == 3 }.map { entries[$0].key })
            view.memory.editedOutside.insert(Samples.key("gone"))
            view.memory.favourites = Favourites(text: entries.prefix(60).map { "!\($0.key.text)" }.joined())
            var fresh = self.view(entries, unchanged: view.unchanged)
            fresh.memory = view.memory
            for filter in filters {
                let (found, anew) = (FoundFlags(filter, in: view), FoundFlags(filter, in: fresh))
                #expect(Array(found.entries) == entries.filter { holds(filter, for: $0, in: view) }, "\(filter)")
                #expect(told(found) == told(anew), "\(filter)")
                for mark in FlagFilter.Mark.allCases {
                    #expect((found.marks[mark] ?? 0) == found.entries.count { mark.matches($0, in: view) }, "\(mark)")
                }
            }
            #expect(
                view.traits.counts(.tag, in: view.traits.all).keys.sorted()
                    == Set(entries.flatMap(Self.tags)).sorted())
        }
    }

    /// The tags that the list counts a flag under.
    private static func tags(of entry: FlagEntry) -> [String] {
        let tags = entry.definition.metadata.tags
        return tags.isEmpty ? ["(none)"] : tags
    }

    private let filters = [
        FlagFilter(), FlagFilter(text: "f1"), FlagFilter([.state: "overridden-on"]),
        FlagFilter(marks: [.locked, .expired]),
        FlagFilter(marks: [.stale]), FlagFilter(marks: [.edited]), FlagFilter(marks: [.favourite]),
        FlagFilter([.state: "off"], marks: [.edited, .locked]),
        FlagFilter([.tag: "t1"]), FlagFilter([.tag: "(none)"]),
        FlagFilter([.group: "g1"]), FlagFilter([.group: "g1/f4"]),
        FlagFilter([.source: "local"]), FlagFilter([.source: "none"]),
        FlagFilter(text: "f", [.state: "default", .tag: "t2", .group: "g2"]),
    ]

    /// Whether a flag is to be listed, told by the flag itself.
    private func holds(_ filter: FlagFilter, for entry: FlagEntry, in view: CatalogueView) -> Bool {
        (filter.text.isEmpty || entry.key.text.contains(filter.text))
            && filter[.state].map { FlagFilter.State(rawValue: $0)?.matches(entry) == true } ?? true
            && filter.marks.allSatisfy { $0.matches(entry, in: view) }
            && filter[.tag].map { Self.tags(of: entry).contains($0) } ?? true
            && filter[.group].map { entry.key.isInside(Samples.key($0)) } ?? true
            && filter[.source].map { entry.resolution.source.filterName == $0 } ?? true
    }

    /// What a list says beside it, in a form to compare.
    private func told(_ found: FoundFlags) -> [String: Int] {
        var told: [String: Int] = [:]
        for (misses, count) in found.missedBy { told["missed \(misses.rawValue)"] = count }
        for (criterion, counts) in found.counts {
            for (value, count) in counts { told["\(criterion.name) \(value)"] = count }
        }
        for (mark, count) in found.marks { told["mark \(mark)"] = count }
        for (place, group) in found.groups.enumerated() { told["group \(place) \(group.key)"] = group.count }
        return told
    }
}
