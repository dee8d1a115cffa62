import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Synchronization
import Testing

@Suite("The provider of JSON data")
struct CodableProviderTests {
    private static let json = """
        {"config": {"on": true, "count": 3, "ratio": 0.5, "title": "x", "none": null, "list": [{"id": 7}, null],
        "modes": ["never", "atLaunch"], "big": 18446744073709551616, "layout": {"columns": [1, null], "title": null}}}
        """

    @Test("It passes the conformance suite")
    func conforms() async throws {
        let seed: [FlagKeyPath: FlagValue] = [
            keyPath("on"): .bool(true), keyPath("count"): .integer(3), keyPath("ratio"): .double(0.5),
            keyPath("title"): .string("x"), keyPath("modes", "1"): .string("atLaunch"),
            keyPath("modes"): .array([.string("never"), .string("atLaunch")]),
        ]
        try await FlagsProviderConformance.checkReadOnly(holding: seed) { try Self.provider() }
    }

    @Test("ToggleUI: values below a nested key of the JSON are decoded as any Codable type, each when it is read")
    func decodesLazily() throws {
        let provider = try Self.provider()
        #expect(try provider.value(of: Bool.self, at: keyPath("on")) == true)
        #expect(try provider.value(of: Double.self, at: keyPath("count")) == 3)
        #expect(try provider.value(of: [StartMode].self, at: keyPath("modes")) == [.never, .atLaunch])
        #expect(try provider.value(of: PageLayout.self, at: keyPath("layout")) == PageLayout(columns: [1, nil]))
        #expect(try provider.value(of: JSONData.self, at: keyPath("layout"))?.jsonString.contains("null") == true)
        #expect(throws: FlagValueError.self) { try provider.value(of: PageLayout.self, at: keyPath("title")) }
        #expect(throws: FlagValueError.self) { try provider.value(of: Int.self, at: keyPath("title")) }
        #expect(try provider.value(of: String.self, at: keyPath("title")) == "x")
    }

    @Test("A null is no value, and an integer that is too long is broken rather than rounded")
    func keepsExactness() throws {
        let provider = try Self.provider()
        #expect(try provider.storedValue(at: keyPath("none")) == nil)
        #expect(try provider.value(of: PageLayout.self, at: keyPath("none")) == nil)
        #expect(try provider.value(of: Bool.self, at: keyPath("absent")) == nil)
        #expect(throws: FlagValueError.self) { try provider.value(of: UInt64.self, at: keyPath("big")) }
        #expect(throws: FlagValueError.self) { try provider.value(of: Double.self, at: keyPath("big")) }
        #expect(throws: FlagValueError.self) { try provider.storedValue(at: keyPath("title", "x")) }
    }

    @Test("New data replaces all values and is told; bad data keeps the last good values")
    func updates() async throws {
        let provider = CodableProvider(name: "Remote")
        #expect(try provider.storedValue(at: keyPath("on")) == nil)
        var updates = try #require(provider.updates).makeAsyncIterator()
        try provider.update(Data(#"{"on": true, "a": {"b": 1}}"#.utf8))
        #expect(await updates.next()?.keys == [keyPath("a", "b"), keyPath("on")])
        for bad in ["", "{", "[]", "7", "null", #"{"on": tru}"#] {
            #expect(throws: FlagValueError.self) { try provider.update(Data(bad.utf8)) }
        }
        #expect(try provider.value(of: Bool.self, at: keyPath("on")) == true)
        try provider.update(Data(#"{"on": false}"#.utf8))
        #expect(await updates.next()?.keys == [keyPath("a", "b"), keyPath("on")])
        #expect(try provider.storedValue(at: keyPath("a", "b")) == nil)
    }

    @Test(
        "Data without an object at the group is refused by its place",
        arguments: ["{}", #"{"config": 1}"#, #"{"config": null}"#, "[]"])
    func refusesOtherShapes(json: String) throws {
        let problem = try #require(throws: FlagValueError.self) {
            try CodableProvider(name: "Remote", data: Data(json.utf8), at: ["config"])
        }
        #expect(problem.description == "the JSON of the provider Remote has no object at config")
    }

    @Test("A sequence of data is followed to its end, past data that is bad")
    func follows() async throws {
        let provider = CodableProvider(name: "Remote")
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        for json in [#"{"n": 1}"#, "oops", #"{"n": 2}"#] { continuation.yield(Data(json.utf8)) }
        continuation.finish(throwing: CocoaError(.userCancelled))
        let problems = Mutex(0)
        await #expect(throws: CocoaError.self) {
            try await provider.update(from: stream) { _ in problems.withLock { $0 += 1 } }
        }
        #expect(problems.withLock { $0 } == 1)
        #expect(try provider.value(of: Int.self, at: keyPath("n")) == 2)
    }

    @Test("A read while the data changes is of the one or of the other")
    func readsConcurrently() async throws {
        let provider = try CodableProvider(name: "Remote", data: Data(#"{"l": {"columns": [0, 0]}}"#.utf8))
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        try provider.update(Data(#"{"l": {"columns": [\#(task), \#(number), \#(task)]}}"#.utf8))
                    }
                    return true
                }
                group.addTask {
                    for _ in 0..<100 {
                        let columns = try provider.value(of: PageLayout.self, at: keyPath("l"))?.columns ?? []
                        guard columns.first == columns.last else { return false }
                    }
                    return true
                }
            }
            for try await isWhole in group { #expect(isWhole) }
        }
        let layout = try provider.value(of: PageLayout.self, at: keyPath("l"))
        let stored = try #require(try provider.storedValue(at: keyPath("l")))
        #expect(layout == PageLayout(encoded: stored))
    }

    @Test("CloudKit: fetched at set-up and stored, read without a fetch; on an error the old values stay")
    func fetchesOnce() async throws {
        let source = Source([#"{"feature1": 1, "feature2": 0}"#, nil, #"{"feature1": 0, "feature3": 1}"#])
        let provider = CodableProvider(name: "Remote") { try await source.next() }
        var updates = try #require(provider.updates).makeAsyncIterator()
        try await provider.setUp()
        // Told after they are stored, with the toggles that changed.
        #expect(await updates.next()?.keys == [keyPath("feature1"), keyPath("feature2")])
        for _ in 0..<3 { #expect(try provider.value(of: Bool.self, at: keyPath("feature1")) == true) }
        #expect(await source.count == 1)
        await #expect(throws: CocoaError.self) { try await provider.refresh() }
        #expect(try provider.value(of: Bool.self, at: keyPath("feature1")) == true)
        // A change, a deleted and a created record.
        try await provider.refresh()
        #expect(await updates.next()?.keys == [keyPath("feature1"), keyPath("feature2"), keyPath("feature3")])
        #expect(try provider.value(of: Bool.self, at: keyPath("feature2")) == nil)
        #expect(try provider.value(of: Bool.self, at: keyPath("feature3")) == true)
    }

    @Test("CloudKit: a record of the wrong type has the fallback value, and is reported")
    func dropsWrongType() throws {
        let provider = try CodableProvider(name: "Remote", data: Data(#"{"on": "perhaps"}"#.utf8))
        let flags = FlagsLoader(OneFlag.self, providers: [provider])
        #expect(!flags.on)
        #expect(flags.diagnostics.current.map(\.flag) == [keyPath("on")])
    }

    private static func provider() throws -> CodableProvider {
        try CodableProvider(name: "Remote", data: Data(json.utf8), at: ["config"])
    }
}

/// Gives one answer after the other; `nil` throws.
private actor Source {
    private let answers: [String?]
    private(set) var count = 0

    init(_ answers: [String?]) { self.answers = answers }

    func next() throws -> Data {
        defer { count += 1 }
        guard let answer = answers[count] else { throw CocoaError(.fileReadUnknown) }
        return Data(answer.utf8)
    }
}
