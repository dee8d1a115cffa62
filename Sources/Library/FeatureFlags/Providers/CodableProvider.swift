import Foundation
import Synchronization

/// Flags in a JSON document from elsewhere, read-only and replaced as a whole; ToggleUI's `CodableToggleProvider`.
///
/// ```swift
/// let remote = CodableProvider(name: "Remote", at: ["config"]) {
///     try Data(contentsOf: URL(fileURLWithPath: "/run/shop/config.json"))
/// }
/// let manager = FlagsManager(providers: [local, remote])
/// try await manager.setUp()
/// ```
///
/// A value is decoded when it is read, so that one of the wrong type breaks no other. A `null` is no value. A flag of any
/// `Codable` type is decoded from the JSON at its key path, and a whole number in a key path counts into an array.
public final class CodableProvider: FlagsProvider {
    /// The name that tells this provider from the others.
    public let name: String
    private let group: [String]
    private let cache: URL?
    private let load: (@Sendable () async throws -> Data)?
    private let values = FlagValueStore()
    /// The object at the group, for types that read JSON of their own.
    private let json = Mutex(JSONFlagValues())
    /// Held from checking data to having it in force.
    private let turn = Mutex(())

    /// Makes a provider that holds what the cache does, and without one nothing until it is given data.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - group: The keys above the values in the JSON, outermost first: `["config"]` for `{"config": { … }}`.
    ///   - cache: A file that keeps the last good data, for when the process starts without being able to load any; it need
    ///     not exist, and one that can't be read counts as none.
    ///   - load: Gets the data, whenever the provider is set up or refreshed.
    public init(
        name: String, at group: [String] = [], cache: URL? = nil, load: (@Sendable () async throws -> Data)? = nil
    ) {
        self.name = name
        self.group = group
        self.cache = cache
        self.load = load
        if let cache, case .success(let checked) = Result(catching: { try check(Data(contentsOf: cache)) }) {
            put(checked)
        }
    }

    /// Makes a provider of data.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - data: UTF-8 JSON text.
    ///   - group: The keys above the values in the JSON, outermost first.
    /// - Throws: What is wrong with the data.
    public convenience init(name: String, data: Data, at group: [String] = []) throws(FlagValueError) {
        self.init(name: name, at: group)
        try update(data)
    }

    /// JSON data.
    public var shortDescription: String? { "Values in JSON data" }

    /// Never: the data comes from elsewhere.
    public var isWritable: Bool { false }

    /// The values.
    public var store: FlagValueStore? { values }

    /// It isn't: types that read JSON of their own are given the JSON itself.
    public var isReadFromStore: Bool { false }

    /// The value that the data holds.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none, or a `null`.
    /// - Throws: Where a component above the last is neither an object nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// The value that the data holds, of a `Codable` type or ``JSONData`` with its `null`s and every digit.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where there is none, or a `null`.
    /// - Throws: What was found and what is wanted, or that a component above the last is neither an object nor an array.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let value = json.withLock({ $0 }).value(of: type, at: key) { return value }
        return try storedValue(at: key).map(Value.decode)
    }

    /// Refuses.
    ///
    /// - Parameters:
    ///   - value: Any value, or `nil`.
    ///   - key: Any key path.
    /// - Throws: That the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    /// Replaces the data, once the cache keeps it.
    ///
    /// - Parameter data: UTF-8 JSON text.
    /// - Throws: Where it is not JSON, or has no object at the group: the values that were held stay. Where the cache can't be
    ///   written: the new values are in force.
    public func update(_ data: Data) throws(FlagValueError) {
        try turn.withLock { _ throws(FlagValueError) in
            let checked = try check(data)
            let kept = Result { try cache.map { try data.write(to: $0, options: .atomic) } }
            put(checked)
            guard case .failure(let error) = kept else { return }
            throw FlagValueError("the data of the provider \(name) can't be kept for the next start: \(error)")
        }
    }

    /// What data holds at the group.
    private func check(_ data: Data) throws(FlagValueError) -> JSONFlagValues {
        guard let checked = JSONFlagValues(try FlagJSON.document(data), at: group) else {
            let place = group.isEmpty ? "at the top" : "at \(FlagKeyPath(components: group).text)"
            throw FlagValueError("the JSON of the provider \(name) has no object \(place)")
        }
        return checked
    }

    private func put(_ checked: JSONFlagValues) {
        json.withLock { current in
            let keys = current.differences(from: checked)
            current = checked
            values.replace(with: checked.entries, changing: keys)
        }
    }

    /// Replaces the data with each that a sequence gives, until it ends.
    ///
    /// - Parameters:
    ///   - sequence: UTF-8 JSON texts, such as the answers of a server that is asked now and then.
    ///   - onProblem: Called with what is wrong with one; the values that were held stay, and the next one is awaited.
    /// - Throws: What the sequence throws.
    public func update<Source: AsyncSequence & Sendable>(
        from sequence: Source, onProblem: @Sendable (FlagValueError) -> Void
    ) async throws where Source.Element == Data {
        for try await data in sequence {
            do throws(FlagValueError) { try update(data) } catch { onProblem(error) }
        }
    }

    /// Loads the data for the first time.
    ///
    /// - Throws: Why it could not be loaded, or what is wrong with it.
    public func setUp() async throws { try await refresh() }

    /// Loads the data again.
    ///
    /// - Throws: Why it could not be loaded, or what is wrong with it; the values that were held stay.
    public func refresh() async throws {
        guard let load else { return }
        try update(await load())
    }
}
