import FeatureFlags
import Foundation

/// The keys by which flags are published in etcd.
///
/// | key | value |
/// |---|---|
/// | `PREFIX/row` | the last row of the history that is published, and its hash: ``EtcdRow`` |
/// | `PREFIX/providers` | the names of the providers in order of precedence, as a JSON array |
/// | `PREFIX/values/PROVIDER/KEY PATH` | what the provider holds for the flag, as JSON |
/// | `PREFIX/definitions/KEY PATH` | what is known of the flag, as a JSON object with `key` and `type` at least |
///
/// A `/` or `~` inside a component or a provider's name is written `~1` or `~0` (RFC 6901).
package struct EtcdLayout: Hashable, Sendable {
    /// What a key holds.
    enum Place: Hashable {
        case row
        case providers
        case value(provider: String, FlagKeyPath)
        case definition(FlagKeyPath)
    }

    /// What every key begins with, without a slash at its end.
    let prefix: String

    /// Lays keys out below a prefix.
    package init(prefix: String) { self.prefix = prefix }

    /// The key of the last row.
    package var row: String { "\(prefix)/row" }
    /// The key of the providers' names.
    package var providers: String { "\(prefix)/providers" }
    /// What all keys begin with.
    package var all: String { "\(prefix)/" }

    /// The key of a value.
    package func value(of provider: String, at key: FlagKeyPath) -> String {
        "\(prefix)/values/\(FlagKeyPath(components: [provider] + key.components).text)"
    }

    /// The key of a definition.
    package func definition(of key: FlagKeyPath) -> String { "\(prefix)/definitions/\(key.text)" }

    /// Whether a key holds something of flags, and not what another program keeps below the prefix, or the row.
    package func holdsFlag(_ key: String) -> Bool {
        switch place(of: key) {
        case .providers, .value, .definition: true
        case .row, nil: false
        }
    }

    /// The flag that a key holds something of; `nil` for one that holds nothing of a single flag.
    package func flag(of key: String) -> FlagKeyPath? {
        switch place(of: key) {
        case .value(_, let flag), .definition(let flag): flag
        case .providers, .row, nil: nil
        }
    }

    /// What a key holds; `nil` for one that is none of these.
    func place(of key: String) -> Place? {
        guard key.hasPrefix(all) else { return nil }
        let rest = key.dropFirst(all.count)
        switch rest {
        case "row": return .row
        case "providers": return .providers
        default: break
        }
        guard let slash = rest.firstIndex(of: "/"),
            let path = FlagKeyPath(longText: String(rest[rest.index(after: slash)...]))
        else { return nil }
        switch rest[..<slash] {
        case "definitions": return .definition(path)
        case "values" where path.components.count > 1:
            return .value(provider: path.components[0], FlagKeyPath(components: Array(path.components.dropFirst())))
        default: return nil
        }
    }
}

/// The last row of a history that is published.
package struct EtcdRow: Hashable, Sendable {
    /// Its number.
    package let row: Int64
    /// Its hash, in hexadecimal digits.
    package let hash: String
    /// Whether more than one transaction is on the way to what there was after the row, so that readers wait for the last one.
    package let isFilling: Bool

    /// Names a row.
    package init(row: Int64, hash: String, isFilling: Bool = false) {
        (self.row, self.hash, self.isFilling) = (row, hash, isFilling)
    }

    /// The row as etcd holds it.
    package var text: String { "{\"filling\":\(isFilling),\"hash\":\"\(hash)\",\"row\":\(row)}" }

    /// Reads what etcd holds.
    package init(data: Data) throws(EtcdError) {
        do {
            self = try JSONDecoder().decode(EtcdRow.self, from: data)
        } catch {
            throw .backwards("what etcd holds in the place of the last row's number is none: another program wrote it")
        }
    }
}

extension EtcdRow: Decodable {
    private enum CodingKeys: String, CodingKey {
        case row, hash
        case isFilling = "filling"
    }
}
