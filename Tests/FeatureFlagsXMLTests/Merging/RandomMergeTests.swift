import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

/// 1,000 random merges of values files and 400 of manifests, compared with a merge of plain dictionaries; all follow from the
/// seed, which a failure prints.
@Suite("Any three versions of a file")
struct RandomMergeTests {
    @Test(
        "Nothing that either side changed in values is lost, and what is left alone keeps its bytes", arguments: 0..<10)
    func values(batch: UInt64) throws {
        var (clean, conflicting) = (0, 0)
        for number in 0..<100 {
            let seed = batch * 1_000_003 + UInt64(number)
            var generator = SeededGenerator(seed: ~seed)
            let base = try PropertyListDocument(source: RandomPropertyList(seed: seed).source)
            let ours = try edited(base, using: &generator)
            let theirs = try edited(generator.chance(20) ? ours : base, using: &generator)
            let merge = try PropertyListMerge(base: base, ours: ours, theirs: theirs)
            let problems = Self.problems(of: merge, base, ours, theirs)
            #expect(problems == [], "seed \(seed)\n\(text(base))\n---\n\(text(ours))\n---\n\(text(theirs))")
            if merge.conflicts.isEmpty { clean += 1 } else { conflicting += 1 }
        }
        #expect(clean > 10 && conflicting > 10, "\(clean) without conflict, \(conflicting) with")
    }

    @Test("Nothing that either side changed in a manifest is lost", arguments: 0..<4)
    func manifests(batch: UInt64) throws {
        for number in 0..<100 {
            let seed = batch * 1_000_003 + UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let base = try editedManifest(.empty(), 8, using: &generator)
            let ours = try editedManifest(base, 3, using: &generator).document
            let theirs = try editedManifest(base, 3, using: &generator).document
            let merge = try PropertyListMerge(base: base.document, ours: ours, theirs: theirs)
            #expect(Self.problems(of: merge, base.document, ours, theirs) == [], "seed \(seed)")
            _ = try FlagManifest(document: merge.marked())
        }
    }

    // What a person may have done to one version.

    private func edited(
        _ document: PropertyListDocument, using generator: inout SeededGenerator
    ) throws -> PropertyListDocument {
        var document = document
        for _ in 0..<generator.pick([0, 1, 2, 3, 6]) {
            let (groups, values) = Self.paths(in: document.root)
            let group = generator.pick(groups)
            let new = FlagKeyPath(components: group + [generator.key()])
            let old = values.isEmpty ? new : FlagKeyPath(components: generator.pick(values))
            let inner = groups.filter { !$0.isEmpty }
            document =
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<4: try document.setting(generator.value(depth: 1), at: old)
                case 4, 5: try document.removing(old)
                case 6 where !inner.isEmpty: try document.removing(FlagKeyPath(components: generator.pick(inner)))
                default: try document.setting(generator.value(depth: 1), at: new)
                }
        }
        return document
    }

    /// The dictionaries and the other values of a tree, by their paths.
    private static func paths(in value: FlagValue, at path: [String] = []) -> (groups: [[String]], values: [[String]]) {
        guard case .dictionary(let entries) = value else { return ([], [path]) }
        var found: (groups: [[String]], values: [[String]]) = ([path], [])
        for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
            let inner = paths(in: value, at: path + [name])
            found.groups += inner.groups
            found.values += inner.values
        }
        return found
    }

    private func editedManifest(
        _ manifest: FlagManifest, _ count: Int, using generator: inout SeededGenerator
    ) throws -> FlagManifest {
        var manifest = manifest
        for _ in 0..<count {
            let key = FlagKeyPath(components: [
                "g\(generator.pick([1, 2]))", generator.pick(["a", "b", "c", "d", "é"]),
            ])
            guard manifest.definition(of: key) != nil else {
                manifest = try manifest.adding(
                    ["key": .string(key.text), "type": "integer", "owner": .string(generator.pick(["x", "y"]))],
                    for: key)
                continue
            }
            let fields: [String: FlagValue?] = generator.pick([
                ["description": .string(generator.pick(["one", "a--b", "é"]))], ["owner": nil], ["owner": "z"],
                ["isLocked": .bool(generator.chance(50))], ["userInfo": ["a": 1, "b": .bool(generator.chance(50))]],
            ])
            manifest = try generator.chance(20) ? manifest.removing(key) : manifest.setting(fields, of: key)
        }
        return manifest
    }

    // What a merge of plain dictionaries says.

    private typealias Facts = [FlagPlace: FlagValue]

    private static func facts(_ document: PropertyListDocument) -> Facts {
        // A group, or an array of definitions, is nothing by itself.
        let facts = document.statements.filter { place, value in
            place.field != nil || (value != .dictionary([:]) && !["flags", "collections"].contains(place.text))
        }
        return Dictionary(uniqueKeysWithValues: facts.map { ($0.place, $0.value) })
    }

    /// Whether a conflict is about a place, or about what is around it or in it.
    private static func covers(_ conflict: MergeConflict, _ place: FlagPlace) -> Bool {
        guard conflict.place.kind == place.kind else { return false }
        guard place.kind == .value else {
            return conflict.place.key == place.key && (conflict.place.field ?? place.field) == place.field
        }
        return place.key.isInside(conflict.place.key) || conflict.place.key.isInside(place.key)
    }

    private static func problems(
        of merge: PropertyListMerge, _ base: PropertyListDocument, _ ours: PropertyListDocument,
        _ theirs: PropertyListDocument
    ) -> [String] {
        let (old, mine, others, merged) = (facts(base), facts(ours), facts(theirs), facts(merge.document))
        var problems: [String] = []
        for place in Set(old.keys).union(mine.keys).union(others.keys).union(merged.keys) {
            let covering = merge.conflicts.contains { covers($0, place) }
            let (b, o, t, m) = (old[place], mine[place], others[place], merged[place])
            if covering {
                if m != o { problems.append("\(place.text) is in conflict, and not ours") }
            } else if o != t, o != b, t != b {
                problems.append("\(place.text) is changed on both sides, and no conflict")
            } else if m != (o == b ? t : o) {
                problems.append("\(place.text) is not what one side made of it")
            }
        }
        for conflict in merge.conflicts
        where conflict.ours == conflict.theirs || conflict.base == conflict.ours || conflict.base == conflict.theirs {
            problems.append("\(conflict.place.text) is no conflict")
        }
        return problems + changedBytes(from: ours, to: merge.document) + wrongMarks(of: merge)
    }

    /// The values that are as they were, but in other bytes.
    private static func changedBytes(from old: PropertyListDocument, to new: PropertyListDocument) -> [String] {
        old.statements.compactMap { place, value in
            guard let before = old.path(of: place).flatMap(old.node(at:)), before.element.children == nil,
                let after = new.path(of: place).flatMap(new.node(at:)), after.value == value
            else { return nil }
            return old.source[before.range] == new.source[after.range] ? nil : "the bytes of \(place.text) are others"
        }
    }

    /// What is wrong with the comments: without them, the file must be the merged one, byte for byte.
    private static func wrongMarks(of merge: PropertyListMerge) -> [String] {
        guard case .success(let marked) = Result(catching: { try merge.marked() }) else {
            return ["it can't be marked"]
        }
        var comments = marked.comments.filter { $0.hasPrefix("<!-- conflict: ") }
        guard comments.count == merge.conflicts.count else { return ["\(comments.count) comments"] }
        guard marked.root == merge.document.root else { return ["the comments change values"] }
        var source = marked.source
        while let comment = comments.popLast() {
            let lineEnd = String(decoding: marked.writer.lineEnd.utf8, as: UTF8.self)
            guard let range = source.range(of: Data((lineEnd + comment).utf8)) else {
                return ["\(comment) has no line"]
            }
            source = Data(source[..<range.lowerBound] + source[range.upperBound...])
        }
        return source == merge.document.source ? [] : ["the comments change other bytes"]
    }
}
