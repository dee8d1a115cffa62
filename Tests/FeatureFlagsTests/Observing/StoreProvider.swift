import FeatureFlags
import Synchronization
import Testing

/// A writable provider on a store of its own.
struct StoreProvider: FlagsProvider {
    let name: String
    let values: FlagValueStore
    let isWritable = true

    init(_ name: String, _ values: [String: FlagValue] = [:]) {
        self.name = name
        self.values = FlagValueStore(values)
    }

    var store: FlagValueStore? { values }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try values.set(value, at: key) }

    func set(_ value: FlagValue?, _ key: String) throws { try values.set(value, at: path(key)) }
}

/// A provider that is asked at each read and can't tell of changes.
final class SilentProvider: FlagsProvider {
    let name = "Silent"
    let isWritable = true
    private let values = Mutex<[FlagKeyPath: FlagValue]>([:])

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { values.withLock { $0[key] } }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { values.withLock { $0[key] = value } }
}

func path(_ text: String) throws -> FlagKeyPath {
    try #require(FlagKeyPath(text: text))
}

extension AsyncIteratorProtocol {
    /// The next elements.
    mutating func next(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        while elements.count < count { elements.append(try #require(try await next())) }
        return elements
    }
}
