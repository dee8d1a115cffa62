import Foundation

struct EtcdCache: Sendable {
    struct Kept: Codable, Sendable {
        var keys: [String: Data]
        var epoch: Int64
        var cluster: String
    }

    /// The limit of kept bytes: 256 MiB.
    private static let maximumSize = 4 * EtcdClient.largestAnswer
    private static let shape = "etcd"

    private let cache: ValuesCache
    private let source: String

    init(_ file: URL, of address: EtcdAddress) {
        (cache, source) = (ValuesCache(file, maximumSize: Self.maximumSize), address.description)
    }

    func read() throws(RemoteError) -> (kept: Kept, time: Date)? {
        guard let entry = try cache.read(from: source, as: Self.shape) else { return nil }
        do {
            return (try JSONDecoder().decode(Kept.self, from: entry.body), entry.time)
        } catch {
            throw RemoteError.cache(
                "the cache \(cache.file.path(percentEncoded: false)) has no etcd values: \(error)")
        }
    }

    func write(_ kept: Kept, at time: Date) throws(RemoteError) {
        let body: Data
        do {
            body = try JSONEncoder().encode(kept)
        } catch {
            throw RemoteError.cache("can't save the values: \(error)")
        }
        guard body.count <= Self.maximumSize else {
            throw RemoteError.cache(
                "the values are in use but can't be saved for the next start: they have \(body.count) bytes, and the "
                    + "limit is \(Self.maximumSize)")
        }
        try cache.write(.init(source: source, shape: Self.shape, version: nil, time: time, body: body))
    }
}
