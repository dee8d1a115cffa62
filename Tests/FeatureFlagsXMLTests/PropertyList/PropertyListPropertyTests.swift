import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

/// 10,000 random edits of random documents; all follow from the seed, which a failure prints.
@Suite("Any edit of any document")
struct PropertyListPropertyTests {
    private static let editsOfEachDocument = 4

    @Test("Every byte outside the edited entry stays, and the values are exactly as requested", arguments: 0..<20)
    func editsFaithfully(batch: UInt64) throws {
        for number in 0..<125 {
            let seed = batch * 1_000_003 + UInt64(number)
            let list = RandomPropertyList(seed: seed)
            var generator = SeededGenerator(seed: ~seed)
            let document = try PropertyListDocument(source: list.source)
            try #require(document.root == .dictionary(list.root), "seed \(seed)")
            var chain = document
            var chainModel = list.root
            for _ in 0..<Self.editsOfEachDocument {
                let edit = RandomEdit(of: list, using: &generator)
                let problem = Result { try edit.problem(in: list, document: document) }
                #expect(throws: Never.self, "seed \(seed), \(edit)") { try problem.get() }
                if case .success(let text?) = problem {
                    Issue.record("seed \(seed), \(edit): \(text)\n\(String(decoding: list.source, as: UTF8.self))")
                }
                if let next = try? edit.apply(to: chain) {
                    chain = next
                    chainModel = edit.applied(to: chainModel)
                    #expect(chain.root == .dictionary(chainModel), "seed \(seed), chained \(edit)")
                }
            }
            let omitted = Set((0..<3).compactMap { _ in list.entries.randomElement(using: &generator)?.path })
            let shared = try document.omitting(Set(omitted.map { FlagKeyPath(components: $0) }))
            let expected = Self.omitting(omitted, from: list.root, path: [])
            #expect(shared.root == .dictionary(expected), "seed \(seed), omitting \(omitted)")
        }
    }

    @Test("Many edits at one stroke come to what they do one after the other", arguments: 0..<10)
    func editsTogether(batch: UInt64) throws {
        for number in 0..<100 {
            let seed = batch * 1_000_033 + UInt64(number)
            let list = RandomPropertyList(seed: seed)
            var generator = SeededGenerator(seed: ~seed)
            let document = try PropertyListDocument(source: list.source)
            let edits = (0..<generator.pick([2, 3, 8, 20])).map { _ in RandomEdit(of: list, using: &generator) }
            let one = Result { try edits.reduce(document) { try $1.apply(to: $0) } }
            let all = Result {
                try document.setting(edits.map { (FlagKeyPath(components: $0.path), $0.value) })
            }
            switch (one, all) {
            case (.success(let one), .success(let all)):
                #expect(one.root == all.root, "seed \(seed): \(edits)")
                let (old, new) = (Array(document.source), Array(all.source))
                #expect(RandomEdit.blankLines(new) <= RandomEdit.blankLines(old), "seed \(seed): a blank line appeared")
                if one.root == document.root, edits.allSatisfy({ $0.applied(to: list.root) == list.root }) {
                    #expect(old == new, "seed \(seed): bytes changed though no value did")
                }
            case (.failure, .failure): break
            default: Issue.record("seed \(seed): \(edits) one by one: \(one), together: \(all)")
            }
        }
    }

    @Test("New entries at one stroke stand where each would alone, and new groups are made once")
    func addsTogether() throws {
        func document(_ entries: String) throws -> PropertyListDocument {
            try PropertyListDocument(
                source: Data("<plist version=\"1.0\">\n<dict>\n\(entries)</dict>\n</plist>\n".utf8))
        }
        let old = """
            \t<key>b</key> <!-- the second -->
            \t<true/>
            \t<!-- the last -->
            \t<key>d</key>
            \t<dict/>

            """
        let keys: [(FlagKeyPath, FlagValue?)] = [
            (FlagKeyPath(components: ["e", "two"]), .integer(2)), (FlagKeyPath(components: ["c"]), .bool(true)),
            (FlagKeyPath(components: ["a"]), .bool(false)), (FlagKeyPath(components: ["e", "one"]), .integer(1)),
            (FlagKeyPath(components: ["d", "y"]), .integer(4)), (FlagKeyPath(components: ["d", "x"]), .integer(3)),
            (FlagKeyPath(components: ["b"]), .bool(false)),
        ]
        let edited = try document(old).setting(keys)
        let new = """
            \t<key>a</key>
            \t<false/>
            \t<key>b</key> <!-- the second -->
            \t<false/>
            \t<key>c</key>
            \t<true/>
            \t<!-- the last -->
            \t<key>d</key>
            \t<dict>
            \t\t<key>x</key>
            \t\t<integer>3</integer>
            \t\t<key>y</key>
            \t\t<integer>4</integer>
            \t</dict>
            \t<key>e</key>
            \t<dict>
            \t\t<key>one</key>
            \t\t<integer>1</integer>
            \t\t<key>two</key>
            \t\t<integer>2</integer>
            \t</dict>

            """
        #expect(
            String(decoding: edited.source, as: UTF8.self) == String(decoding: try document(new).source, as: UTF8.self))
        #expect(try edited.setting(keys).source == edited.source)
        let emptied = try edited.setting(keys.map { ($0.0, nil) })
        #expect(emptied.root == .dictionary(["d": .dictionary([:]), "e": .dictionary([:])]))
    }

    /// The plain dictionary without some values, and without the groups that held nothing else.
    private static func omitting(_ paths: Set<[String]>, from values: [String: FlagValue], path: [String])
        -> [String: FlagValue]
    {
        var kept: [String: FlagValue] = [:]
        for (key, value) in values where !paths.contains(path + [key]) {
            guard case .dictionary(let group) = value, !group.isEmpty else {
                kept[key] = value
                continue
            }
            let rest = omitting(paths, from: group, path: path + [key])
            if !rest.isEmpty { kept[key] = .dictionary(rest) }
        }
        return kept
    }
}

/// A request, with its effect on a plain dictionary and on the bytes.
struct RandomEdit: CustomStringConvertible {
    let path: [String]
    /// `nil` removes.
    let value: FlagValue?

    init(of list: RandomPropertyList, using generator: inout SeededGenerator) {
        let fresh = generator.value(depth: 2)
        if generator.chance(55), !list.entries.isEmpty {
            path = generator.pick(list.entries).path
            value = generator.chance(40) ? nil : fresh
        } else {
            let below = (0..<generator.pick([1, 1, 1, 2, 3])).map { _ in generator.key() }
            path = generator.pick(list.groups).path + below
            value = generator.chance(5) ? nil : fresh
        }
    }

    var description: String {
        "\(value.map { "setting \($0)" } ?? "removing") at \(path.joined(separator: " / "))"
    }

    func apply(to document: PropertyListDocument) throws -> PropertyListDocument {
        let key = FlagKeyPath(components: path)
        return if let value { try document.setting(value, at: key) } else { try document.removing(key) }
    }

    func applied(to values: [String: FlagValue]) -> [String: FlagValue] {
        Self.setting(value, at: path[...], in: values)
    }

    private static func setting(_ value: FlagValue?, at path: ArraySlice<String>, in values: [String: FlagValue])
        -> [String: FlagValue]
    {
        var values = values
        guard let first = path.first else { return values }
        if path.count == 1 {
            values[first] = value
        } else if case .dictionary(let child) = values[first] {
            values[first] = .dictionary(setting(value, at: path.dropFirst(), in: child))
        } else if values[first] == nil, value != nil {
            values[first] = .dictionary(setting(value, at: path.dropFirst(), in: [:]))
        }
        return values
    }

    /// What is wrong with the edit's outcome; `nil` where nothing is.
    func problem(in list: RandomPropertyList, document: PropertyListDocument) throws -> String? {
        let isBlocked = (1..<path.count).contains { depth in
            list.entries.contains { $0.path == Array(path.prefix(depth)) }
                && !list.groups.contains { $0.path == Array(path.prefix(depth)) }
        }
        if isBlocked {
            do {
                _ = try apply(to: document)
                return "it passed through something that is no dictionary"
            } catch let error as PropertyListEditError {
                return error.isBlocked ? nil : "\(error)"
            }
        }
        let edited = try apply(to: document)
        guard edited.root == .dictionary(applied(to: list.root)) else { return "other values" }
        let (old, new) = (Array(list.source), Array(edited.source))
        if edited.root == document.root { return old == new ? nil : "bytes changed though no value did" }
        let text = "\n--- became\n\(String(decoding: new, as: UTF8.self))\n--- from"
        guard Self.blankLines(new) <= Self.blankLines(old) else { return "a blank line appeared" + text }
        let entry = list.entries.first { $0.path == path }
        let problem =
            switch (entry, value) {
            case (let entry?, let value?): try replacementProblem(entry, value, old, new)
            case (let entry?, nil): removalProblem(entry, old, new)
            case (nil, _): try insertionProblem(list, edited, old, new)
            }
        return problem.map { $0 + text }
    }

    private func replacementProblem(
        _ entry: RandomPropertyList.Entry, _ value: FlagValue, _ old: [UInt8], _ new: [UInt8]
    ) throws -> String? {
        guard let element = Self.replacement(of: entry.value, in: old, giving: new) else {
            return "bytes outside the value changed"
        }
        let alone = try PropertyListDocument(source: Data("<plist>".utf8 + element + "</plist>".utf8))
        return alone.root == value ? nil : "the element is \(alone.root)"
    }

    private func removalProblem(_ entry: RandomPropertyList.Entry, _ old: [UInt8], _ new: [UInt8]) -> String? {
        let kept =
            old[..<entry.key.lowerBound] + old[entry.key.upperBound..<entry.value.lowerBound]
            + old[entry.value.upperBound...]
        let isMarkup = { (byte: UInt8) in !Self.isWhitespace(byte) }
        guard kept.filter(isMarkup) == new.filter(isMarkup) else { return "more than the entry is gone" }
        if entry.hasInnerComment { return nil }
        let count = old.count - new.count
        let isOneRun = Self.cuts(count, from: old, giving: new).contains { start in
            start <= entry.key.lowerBound && start + count >= entry.value.upperBound
                && old[start..<entry.key.lowerBound].allSatisfy(Self.isWhitespace)
                && old[entry.value.upperBound..<(start + count)].allSatisfy(Self.isWhitespace)
        }
        return isOneRun ? nil : "what is gone is not one run of the entry and whitespace"
    }

    private func insertionProblem(
        _ list: RandomPropertyList, _ edited: PropertyListDocument, _ old: [UInt8], _ new: [UInt8]
    ) throws -> String? {
        let holders = list.groups.filter { path.starts(with: $0.path) }
        guard let group = holders.max(by: { $0.path.count < $1.path.count }) else { return "there is no group" }
        if let content = group.content {
            let places = Self.cuts(new.count - old.count, from: new, giving: old)
            guard places.contains(where: { content.contains($0) || $0 == content.upperBound }) else {
                return "what is new is not one run in the group"
            }
        } else {
            guard let element = Self.replacement(of: group.range, in: old, giving: new),
                element.starts(with: "<dict>".utf8), element.suffix(7).elementsEqual("</dict>".utf8)
            else { return "bytes outside the empty group changed" }
        }
        guard group.isSorted, case .dictionary(let siblings)? = try Self.value(at: group.path, in: edited) else {
            return nil
        }
        let places = siblings.keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
            .compactMap { edited.location(at: FlagKeyPath(components: group.path + [$0])) }
        let isAscending = zip(places, places.dropFirst()).allSatisfy {
            ($0.line, $0.column) < ($1.line, $1.column)
        }
        return isAscending && places.count == siblings.count ? nil : "the keys are no longer sorted"
    }

    private static func value(at path: [String], in document: PropertyListDocument) throws -> FlagValue? {
        path.isEmpty ? document.root : try document.value(at: FlagKeyPath(components: path))
    }

    /// What stands in place of `range`; `nil` where anything before or after it changed.
    private static func replacement(of range: Range<Int>, in old: [UInt8], giving new: [UInt8]) -> ArraySlice<UInt8>? {
        let tail = old.count - range.upperBound
        guard new.count >= range.lowerBound + tail, new.starts(with: old[..<range.lowerBound]),
            new.suffix(tail).elementsEqual(old[range.upperBound...])
        else { return nil }
        return new[range.lowerBound..<(new.count - tail)]
    }

    /// Every place where cutting `count` bytes from `long` gives `short`; more than one where the cut repeats itself.
    private static func cuts(_ count: Int, from long: [UInt8], giving short: [UInt8]) -> [Int] {
        guard count > 0, long.count - count == short.count else { return [] }
        let prefix = zip(long, short).prefix { $0 == $1 }.count
        let suffix = zip(long.reversed(), short.reversed()).prefix { $0 == $1 }.count
        return short.count - suffix <= prefix ? Array((short.count - suffix)...prefix) : []
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    static func blankLines(_ bytes: [UInt8]) -> Int {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().count { $0.allSatisfy(isWhitespace) }
    }
}
