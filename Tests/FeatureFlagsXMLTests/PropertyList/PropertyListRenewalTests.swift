import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

/// 10,000 random edits, one on top of the other; all follow from the seed, which a failure prints.
@Suite("An edited document")
struct PropertyListRenewalTests {
    @Test("It is what a fresh read of its bytes gives, after any number of edits", arguments: 0..<75 as Range<UInt64>)
    func edits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var list = RandomPropertyList(seed: seed)
        while list.entries.count < 4 { list = RandomPropertyList(seed: generator.next()) }
        let document = try PropertyListDocument(source: list.source)
        try Self.edit(document, times: 130, comparing: 10, using: &generator, "seed \(seed)")
    }

    @Test("That holds for files of many entries in one dictionary, sorted or not", arguments: 0..<6 as Range<UInt64>)
    func flatFiles(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var keys = (0..<400).map { "\($0 % 7)flag\($0)" }
        seed % 2 == 0 ? keys.sort() : keys.shuffle(using: &generator)
        let gap = ["\n\t", "\r\n  ", ""][Int(seed % 3)]
        let declaration = seed < 3 ? "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>" : ""
        let entries = keys.map { "\(gap)<key>\($0)</key>\(gap)<integer>\(generator.next() % 1000)</integer>" }.joined()
        let source = Data("\(declaration)<plist><dict>\(entries)</dict></plist>".utf8)
        let document = try PropertyListDocument(source: source)
        try Self.edit(document, times: 60, comparing: 20, using: &generator, "seed \(seed)")
    }

    private static func edit(
        _ first: PropertyListDocument, times: Int, comparing interval: Int, using generator: inout SeededGenerator,
        _ name: String
    ) throws {
        var document = first
        for number in 0..<times {
            let edit = RandomDocumentEdit(of: document, using: &generator)
            document = try edit.apply(to: document) ?? document
            guard number % interval == 0 || number == times - 1 else { continue }
            let read = try PropertyListDocument(source: document.source)
            #expect(outline(document) == outline(read), "\(name), edit \(number), \(edit)")
            #expect(document.root == read.root, "\(name), edit \(number), \(edit)")
        }
        #expect(document.wholeReads == 1, "\(name): an edit was not told from the parts around it")
    }

    @Test("Edits of any file read nothing but the parts around them", arguments: 0..<40 as Range<UInt64>)
    func readsParts(seed: UInt64) throws {
        var generator = SeededGenerator(seed: ~seed)
        let list = RandomPropertyList(seed: seed)
        let document = try PropertyListDocument(source: list.source)
        for entry in list.entries {
            let (key, value) = (FlagKeyPath(components: entry.path), generator.value(depth: 2))
            let changed = try document.setting(value, at: key)
            let edits = [
                SourceEdit(
                    range: entry.value,
                    replacement: Data(
                        changed.source.dropFirst(entry.value.lowerBound).prefix(
                            entry.value.count + changed.source.count - document.source.count)))
            ]
            let change = PropertyListChange(path: entry.path.map(PathStep.key), kind: .set(value))
            let source = SourceEdit.apply(edits, to: document.source)
            #expect(document.applyingInPlace(edits, giving: source, expecting: [change]) != nil, "seed \(seed), \(key)")
            #expect(
                document.applyingInPlace(edits, giving: source, expecting: []) == nil || value == entry.stored(list))
        }
    }

    @Test("An edit is held to the limits of a file that is read")
    func limits() throws {
        let document = try PropertyListDocument(
            source: Data("<plist><dict><key>a</key><true/></dict></plist>".utf8), maximumSize: 64 * 6)
        let key = FlagKeyPath(components: ["b"])
        let edited = try document.setting(.bool(true), at: key)
        #expect(edited.elements == 6)
        #expect(edited.wholeReads == 1)
        let error = try #require(throws: PropertyListEditError.self) {
            try edited.setting(.bool(true), at: FlagKeyPath(components: ["c"]))
        }
        #expect(error.isUnsafe)
        #expect("\(error)".contains("more than 6 elements"), "\(error)")
        let deep = (0..<63).reduce(FlagValue.bool(true)) { value, _ in .array([value]) }
        #expect(throws: PropertyListEditError.self) {
            try document.setting(deep, at: FlagKeyPath(components: ["b", "c"]))
        }
    }

    @Test("A walk over a document visits each entry in the order of the file, in groups where it is told to")
    func entries() throws {
        let source =
            "<plist><dict><key>b</key><dict><key>c</key><true/></dict><key>a</key><dict><key>d</key><true/></dict></dict></plist>"
        let document = try PropertyListDocument(source: Data(source.utf8))
        var visited: [String] = []
        document.forEachEntry { key, value in
            visited.append("\(key.text) \(value.map { "\($0)" } ?? "group")")
            return key.text == "b"
        }
        #expect(visited == ["b group", "b/c boolean true", "a group"])
        #expect(document.value(of: [.key("b"), .key("c")]) == .bool(true))
        #expect(document.holdsDictionary)
    }

    /// All that a document knows of its source, but for the values.
    private static func outline(_ document: PropertyListDocument) -> [String] {
        var lines = ["\(document.elements) \(document.isASCII) \(document.indentation)"]
        func add(_ node: PropertyListNode) {
            var numbers = [
                node.start, node.range.upperBound, node.content?.lowerBound ?? -1, node.content?.upperBound ?? -1,
            ]
            if lines.count % 7 == 0 {
                let place = document.map.location(of: node.start)
                numbers += [place.line, place.column]
            }
            if let entries = node.entries {
                numbers += [node.element.unsortedDictionaries, entries.isSorted ? 1 : 0]
                for (position, entry) in entries.enumerated() {
                    let found = entries.children.position(of: entry.key) == position ? "" : " not found"
                    lines.append(entry.key + found)
                    numbers += [entry.keyRange.lowerBound, entry.keyRange.upperBound]
                    add(entry.node)
                }
            } else if let items = node.items {
                items.forEach(add)
            }
            lines.append(numbers.map { String($0) }.joined(separator: " "))
        }
        add(document.tree)
        return lines
    }
}

extension RandomPropertyList.Entry {
    func stored(_ list: RandomPropertyList) -> FlagValue? {
        var value = FlagValue.dictionary(list.root)
        for component in path {
            guard case .dictionary(let entries) = value, let next = entries[component] else { return nil }
            value = next
        }
        return value
    }
}

/// An edit of whatever a document holds at that moment.
private struct RandomDocumentEdit: CustomStringConvertible {
    enum Kind {
        case values([(key: FlagKeyPath, value: FlagValue?)])
        case fields([(path: [PathStep], fields: [String: FlagValue?])])
        case insert(FlagValue, behind: Int?, name: String)
        case remove(Int, name: String)
        case omit(Set<FlagKeyPath>)
    }

    let kind: Kind
    var description: String { "\(kind)" }

    init(of document: PropertyListDocument, using generator: inout SeededGenerator) {
        var entries: [[PathStep]] = []
        var groups: [[PathStep]] = []
        var arrays: [(name: String, count: Int)] = []
        func look(_ node: PropertyListNode, _ path: [PathStep]) {
            if let inner = node.entries {
                groups.append(path)
                for entry in inner {
                    entries.append(path + [.key(entry.key)])
                    if path.isEmpty, let items = entry.node.items { arrays.append((entry.key, items.count)) }
                    look(entry.node, path + [.key(entry.key)])
                }
            } else if let items = node.items {
                for (index, item) in items.enumerated() { look(item, path + [.index(index)]) }
            }
        }
        look(document.tree, [])
        func key(_ path: [PathStep]) -> FlagKeyPath? {
            let names = path.compactMap { if case .key(let name) = $0 { name } else { nil } }
            return names.count == path.count && !names.isEmpty ? FlagKeyPath(components: names) : nil
        }
        func anyKey() -> FlagKeyPath {
            if generator.chance(60), !entries.isEmpty, let key = key(generator.pick(entries)) { return key }
            let group = generator.pick(groups.filter { $0.isEmpty || key($0) != nil })
            let below = (0..<generator.pick([1, 1, 2])).map { _ in generator.key() + generator.pick(["", "1", "2"]) }
            return FlagKeyPath(components: (key(group)?.components ?? []) + below)
        }
        // A document that only grows would be slow to look at.
        let removal = entries.count > 60 ? 60 : 25
        switch Int.random(in: 0..<10, using: &generator) {
        case 0 where !arrays.isEmpty:
            let array = generator.pick(arrays)
            let place =
                array.count > 0 && generator.chance(70) ? Int.random(in: 0..<array.count, using: &generator) : nil
            kind = .insert(generator.value(depth: 2), behind: place, name: array.name)
        case 1 where arrays.contains { $0.count > 0 }:
            let array = generator.pick(arrays.filter { $0.count > 0 })
            kind = .remove(Int.random(in: 0..<array.count, using: &generator), name: array.name)
        case 2:
            kind = .insert(
                generator.value(depth: 2), behind: nil, name: "list\(Int.random(in: 0..<3, using: &generator))")
        case 3, 4:
            let group = generator.pick(groups)
            kind = .fields([
                (
                    group,
                    Dictionary(
                        (0..<generator.pick([1, 2, 5])).map { _ in
                            (generator.key(), generator.chance(removal) ? nil : generator.value(depth: 1))
                        }, uniquingKeysWith: { first, _ in first })
                )
            ])
        case 5:
            kind = .omit(Set((0..<2).map { _ in anyKey() }))
        default:
            kind = .values(
                (0..<generator.pick([1, 1, 1, 2, 6])).map { _ in
                    (anyKey(), generator.chance(removal) ? nil : generator.value(depth: 2))
                })
        }
    }

    /// The document after it; `nil` where something is in the way.
    func apply(to document: PropertyListDocument) throws -> PropertyListDocument? {
        let key = FlagKeyPath(components: ["random"])
        do throws(PropertyListEditError) {
            switch kind {
            case .values(let values): return try document.setting(values)
            case .fields(let fields): return try document.setting(fields, for: key)
            case .insert(let value, let place, let name):
                if let there = document.tree.entry(name), there.node.items == nil { return nil }
                return try document.inserting(value, behind: place, of: name, for: key)
            case .remove(let place, let name): return try document.removing(element: place, of: name, for: key)
            case .omit(let keys): return try document.omitting(keys)
            }
        } catch {
            guard error.isBlocked else { throw error }
            return nil
        }
    }
}
