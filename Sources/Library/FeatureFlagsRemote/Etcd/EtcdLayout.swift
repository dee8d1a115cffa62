import FeatureFlags
import Foundation

/// The keys of published flags in etcd.
///
/// | key | value |
/// |---|---|
/// | `PREFIX/row` | the last published row of the history and its hash: ``EtcdRow`` |
/// | `PREFIX/providers` | the names of the providers in order of precedence, as a JSON array |
/// | `PREFIX/values/PROVIDER/KEY PATH` | the provider's value of the flag, as JSON |
/// | `PREFIX/definitions/KEY PATH` | the definition, as a JSON object with `key` and `type` at least |
///
/// A `/` or `~` inside a component or a provider's name is written `~1` or `~0` (RFC 6901).
package struct EtcdLayout: Hashable, Sendable {
    enum Place: Hashable {
        case row
        case providers
        case value(provider: String, FlagKeyPath)
        case definition(FlagKeyPath)
    }

    let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    package var row: String { "\(prefix)/row" }
    package var providers: String { "\(prefix)/providers" }
    package var all: String { "\(prefix)/" }

    package func value(of provider: String, at key: FlagKeyPath) -> String {
        "\(prefix)/values/\(FlagKeyPath(components: [provider] + key.components).text)"
    }

    package func definition(of key: FlagKeyPath) -> String { "\(prefix)/definitions/\(key.text)" }

    /// Returns whether a key is about flags, not the row or another program's.
    package func holdsFlag(_ key: String) -> Bool {
        switch place(of: key) {
        case .providers, .value, .definition: true
        case .row, nil: false
        }
    }

    package func flag(of key: String) -> FlagKeyPath? {
        switch place(of: key) {
        case .value(_, let flag), .definition(let flag): flag
        case .providers, .row, nil: nil
        }
    }

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

package struct EtcdRow: Hashable, Sendable {
    package let row: Int64
    /// In hexadecimal digits.
    package let hash: String
    /// Further transactions for the row will follow, and readers wait for the last.
    package let isFilling: Bool

    package init(row: Int64, hash: String, isFilling: Bool = false) {
        (self.row, self.hash, self.isFilling) = (row, hash, isFilling)
    }

    package var text: String { "{\"filling\":\(isFilling),\"hash\":\"\(hash)\",\"row\":\(row)}" }

    package init(data: Data) throws(EtcdError) {
        do {
            self = try JSONDecoder().decode(EtcdRow.self, from: data)
        } catch {
            throw .backwards("the number of the last row in etcd is invalid: another program wrote it")
        }
    }
}

extension EtcdRow: Decodable {
    private enum CodingKeys: String, CodingKey {
        case row, hash
        case isFilling = "filling"
    }
}
