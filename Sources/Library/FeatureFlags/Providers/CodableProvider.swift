import Foundation
import Synchronization

/// A read-only provider of flags in JSON data, replaced as a whole; ToggleUI's `CodableToggleProvider`.
///
/// ```swift
/// let remote = CodableProvider(name: "Remote", at: ["config"]) {
///     try Data(contentsOf: URL(fileURLWithPath: "/run/shop/config.json"))
/// }
/// let manager = FlagsManager(providers: [local, remote])
/// try await manager.setUp()
/// ```
///
/// Each value is decoded when its flag is read, so a value of the wrong type doesn't affect other flags. A `null`
/// counts as absent. A flag of a `Codable` type is decoded from the JSON at its key path; a whole number in the path is
/// an index of an array.
public final class CodableProvider: FlagsProvider {
    /// The provider's unique name.
    public let name: String
    private let group: [String]
    private let cache: URL?
    private let load: (@Sendable () async throws -> Data)?
    private let values = FlagValueStore()
    /// The object at the group, for types that read JSON themselves.
    private let json = Mutex(JSONFlagValues())
    /// Held from the check of new data until it is in force.
    private let turn = Mutex(())

    /// Creates a provider with the cached data, or without values until data arrives.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - group: The keys above the values in the JSON, outermost first: `["config"]` for `{"config": { … }}`.
    ///   - cache: A file of the last good data, for a start without loading; ignored if missing or unreadable.
    ///   - load: Loads the data at each set-up and refresh.
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

    /// Creates a provider of data.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - data: UTF-8 JSON text.
    ///   - group: The keys above the values in the JSON, outermost first.
    /// - Throws: An error that explains the fault in the data.
    public convenience init(name: String, data: Data, at group: [String] = []) throws(FlagValueError) {
        self.init(name: name, at: group)
        try update(data)
    }

    /// A description of JSON data.
    public var shortDescription: String? { "Values from JSON data" }

    /// Always `false`: the data comes from elsewhere.
    public var isWritable: Bool { false }

    /// The values.
    public var store: FlagValueStore? { values }

    /// Always `false`: types that read JSON themselves get the JSON.
    public var isReadFromStore: Bool { false }

    /// `true` except for types that read JSON themselves: `Codable` types and ``JSONData``.
    public func isReadFromStore<Value: FlagProtocol>(as type: Value.Type) -> Bool { type.flagType != .json }

    /// Returns the value in the data; `nil` for none or a `null`.
    ///
    /// - Throws: An error if a component above the last is neither an object nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Returns the value in the data; a `Codable` type or ``JSONData`` with its `null`s and every digit.
    ///
    /// - Throws: An error if the value is not of the type, or a component above the last is neither an object nor an
    ///   array.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        if let value = json.withLock({ $0 }).value(of: type, at: key) { return value }
        return try storedValue(at: key).map(Value.decode)
    }

    /// Always throws, as the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    /// Replaces the data, after writing it to the cache.
    ///
    /// - Parameter data: UTF-8 JSON text.
    /// - Throws: An error if the data is not JSON or has no object at the group, and the held values stay; or if the
    ///   cache can't be written, and the new values are in force.
    public func update(_ data: Data) throws(FlagValueError) {
        try turn.withLock { _ throws(FlagValueError) in
            let checked = try check(data)
            let kept = Result { try cache.map { try data.write(to: $0, options: .atomic) } }
            put(checked)
            guard case .failure(let error) = kept else { return }
            throw FlagValueError("can't save the data of the provider \(name) for the next start: \(error)")
        }
    }

    private func check(_ data: Data) throws(FlagValueError) -> JSONFlagValues {
        guard let checked = JSONFlagValues(try FlagJSON.document(data), at: group) else {
            let place = group.isEmpty ? "at the top level" : "at \(FlagKeyPath(components: group).text)"
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

    /// Replaces the data with each element of a sequence, until it ends.
    ///
    /// - Parameters:
    ///   - sequence: UTF-8 JSON texts, such as the answers of a server polled at intervals.
    ///   - onProblem: Called with the fault of a bad element; the held values stay, and the next element is awaited.
    /// - Throws: The sequence's error.
    public func update<Source: AsyncSequence & Sendable>(
        from sequence: Source, onProblem: @Sendable (FlagValueError) -> Void
    ) async throws where Source.Element == Data {
        for try await data in sequence {
            do throws(FlagValueError) { try update(data) } catch { onProblem(error) }
        }
    }

    /// Loads the data for the first time.
    ///
    /// - Throws: An error if the data can't be loaded or is invalid.
    public func setUp() async throws { try await refresh() }

    /// Loads the data again.
    ///
    /// - Throws: An error if the data can't be loaded or is invalid; the held values stay.
    public func refresh() async throws {
        guard let load else { return }
        try update(await load())
    }
}
