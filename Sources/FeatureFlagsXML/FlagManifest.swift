import FeatureFlags
import Foundation

/// The definitions of the flags and groups of a project, as `flags.manifest.xml` holds them.
///
/// The root is a dictionary of `version` (the integer 1), `flags` (an array of dictionaries, each with `key` and `type`
/// and whatever else describes the flag) and `collections`. Entries that are unknown here are kept in the file.
public struct FlagManifest: Sendable {
    /// The file's bytes and what they say.
    public let document: PropertyListDocument
    /// The flags, in the file's order.
    public let definitions: [FlagDefinition]
    /// The groups, in the file's order.
    public let collections: [FlagCollectionDefinition]

    /// Reads a manifest.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Throws: ``FlagManifestError`` that names each flag, field and line that is wrong.
    public init(source: Data) throws(FlagManifestError) {
        let document: PropertyListDocument
        do {
            document = try PropertyListDocument(source: source)
        } catch {
            throw FlagManifestError(error)
        }
        var reader = FlagManifestReader(document: document)
        let (definitions, collections) = reader.read()
        guard reader.problems.isEmpty else { throw FlagManifestError(reader.problems) }
        self.document = document
        self.definitions = definitions
        self.collections = collections
    }

    /// Each flag's entry as the file holds it, by the flag's key path: what the history keeps of a definition.
    public var storedEntries: [FlagKeyPath: FlagValue] {
        guard case .dictionary(let root) = document.root, case .array(let flags) = root["flags"] else { return [:] }
        var entries: [FlagKeyPath: FlagValue] = [:]
        for flag in flags {
            guard case .dictionary(let fields) = flag, case .string(let text) = fields["key"],
                let key = FlagKeyPath(text: text)
            else { continue }
            entries[key] = flag
        }
        return entries
    }

    /// The manifest without the definitions of some flags.
    ///
    /// - Parameter keys: The flags to leave out.
    /// - Returns: The file's own bytes where none of them is defined here, else a newly written file.
    /// - Throws: ``PropertyListError`` where the rest can't be written.
    public func omitting(_ keys: Set<FlagKeyPath>) throws(PropertyListError) -> Data {
        guard definitions.contains(where: { keys.contains($0.key) }), case .dictionary(var root) = document.root,
            case .array(let flags) = root["flags"]
        else { return document.source }
        root["flags"] = .array(
            zip(flags, definitions).filter { !keys.contains($0.1.key) }.map(\.0))
        return try PropertyListDocument(root: .dictionary(root)).source
    }
}
