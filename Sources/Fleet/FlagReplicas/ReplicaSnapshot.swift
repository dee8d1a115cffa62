import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

/// All flags of a Flagboard at one moment, from `GET /api/v1/snapshot`.
struct ReplicaSnapshot: Decodable, Sendable {
    /// The history's last row in the snapshot.
    let row: Int64
    /// In hexadecimal.
    let hash: String
    /// The hash of the row in the request; `nil` if the history lacks it.
    let knownHash: String?
    /// As a property list.
    let values: String
    /// As a manifest.
    let manifest: String?

    /// The source's broken sources, by affected key path; `nil` from older servers.
    let broken: [String: String]?

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

    /// Decodes an answer and checks that it can be served.
    init(body: Data, maximumSize: Int) throws(PlainError) {
        do {
            self = try JSONDecoder().decode(ReplicaSnapshot.self, from: body)
        } catch {
            throw PlainError("the response is not a Flagboard snapshot; check the address")
        }
        do {
            let values = try PropertyListDocument(source: Data(self.values.utf8), maximumSize: maximumSize)
            _ = try FlagManifest(
                document: PropertyListDocument(source: manifestData, maximumSize: maximumSize))
            guard case .dictionary(_) = values.root else { throw PlainError("its values are not a dictionary") }
        } catch {
            throw PlainError("can't read the flags in the response: \(error)")
        }
    }

    var valuesData: Data { Data(values.utf8) }
    var manifestData: Data { Data((manifest ?? Self.emptyManifest).utf8) }
}
