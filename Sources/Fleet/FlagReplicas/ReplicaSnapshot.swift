import FeatureFlags
import FeatureFlagsXML
import Foundation

/// All flags of a Flagboard at one moment, as `GET /api/v1/snapshot` tells them.
struct ReplicaSnapshot: Decodable, Sendable {
    /// The last row of the history that they are told with.
    let row: Int64
    /// That row's hash, in hexadecimal digits.
    let hash: String
    /// The hash of the row that was named as known; `nil` where the history has no such row, or none any more.
    let knownHash: String?
    /// The values in force, as a property list.
    let values: String
    /// The definitions, as a manifest.
    let manifest: String?

    /// Why a source there is broken, by the key path of each flag that would be read from it; `nil` from a server that doesn't say.
    let broken: [String: String]?

    /// Where there are no definitions.
    static let emptyManifest = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>version</key>
        \t<integer>1</integer>
        </dict>
        </plist>

        """

    /// Reads what a Flagboard answers.
    ///
    /// - Parameter maximumSize: The most bytes of values, and of definitions.
    /// - Throws: ``ReplicaError`` where it is no snapshot, or one that can't be served.
    init(body: Data, maximumSize: Int) throws(ReplicaError) {
        do {
            self = try JSONDecoder().decode(ReplicaSnapshot.self, from: body)
        } catch {
            throw ReplicaError("what is answered there is no snapshot of a Flagboard; check the address")
        }
        do {
            let values = try PropertyListDocument(source: Data(self.values.utf8), maximumSize: maximumSize)
            _ = try FlagManifest(
                document: PropertyListDocument(source: manifestData, maximumSize: maximumSize))
            guard case .dictionary(_) = values.root else { throw ReplicaError("its values are no dictionary") }
        } catch {
            throw ReplicaError("the flags that are answered there can't be read: \(error)")
        }
    }

    var valuesData: Data { Data(values.utf8) }
    var manifestData: Data { Data((manifest ?? Self.emptyManifest).utf8) }
}

/// Why a Flagboard can't be followed.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and where it helps what to do.
    public let description: String

    /// Says what is wrong.
    init(_ description: String) { self.description = description }
}
