import FeatureFlags
import Foundation

/// The definitions of a project's flags and groups, as stored in `flags.manifest.xml`.
///
/// ```swift
/// let manifest = try manager.manifest()
/// for definition in manifest.definitions { print(definition.key, definition.type) }
/// let read = try FlagManifest(document: PropertyListDocument(source: manifest.document.source))
/// ```
///
/// The root is a dictionary of `version` (the integer 1), `flags` (an array of dictionaries, each with `key`, `type`
/// and optional fields) and `collections`. Unknown entries are kept in the file: see ``unknownFields``.
public struct FlagManifest: Sendable {
    /// The property list of the manifest.
    public let document: PropertyListDocument
    package let content: FlagManifestContent

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - source: The bytes of the file.
    ///   - maximumSize: The largest size in bytes, now and after an edit.
    /// - Throws: A ``FlagManifestError`` that names each invalid flag and field, with its line.
    public init(
        source: Data, maximumSize: Int = PropertyListDocument.maximumSize
    ) throws(FlagManifestError) {
        let document: PropertyListDocument
        do {
            document = try PropertyListDocument(source: source, maximumSize: maximumSize)
        } catch {
            throw FlagManifestError(error)
        }
        try self.init(document: document)
    }

    /// Reads a manifest from a property list.
    ///
    /// - Parameter document: The property list.
    /// - Throws: A ``FlagManifestError`` that names each invalid flag and field, with its line.
    public init(document: PropertyListDocument) throws(FlagManifestError) {
        content = try FlagManifestContent(root: document.root) { document.location(of: $0) }
        self.document = document
    }

    init(document: PropertyListDocument, content: FlagManifestContent) {
        self.document = document
        self.content = content
    }

    /// The flags in the order of the file; each access creates the array.
    public var definitions: [FlagDefinition] { Array(content.definitions) }

    /// The groups in the order of the file.
    public var collections: [FlagCollectionDefinition] { content.collections }

    /// The stored entry of each flag, as kept in the history of definitions.
    public var storedEntries: [FlagKeyPath: FlagValue] { storedEntries("flags", of: content.definitions.map(\.key)) }

    /// The stored entry of each group.
    public var storedCollections: [FlagKeyPath: FlagValue] { storedEntries("collections", of: collections.map(\.key)) }

    /// The other entries of the root dictionary.
    public var storedRootEntries: [String: FlagValue] {
        var entries: [String: FlagValue] = [:]
        for entry in document.tree.entries.map(Array.init) ?? []
        where entry.key != "flags" && entry.key != "collections" {
            entries[entry.key] = entry.node.value
        }
        return entries
    }

    private func storedEntries(_ name: String, of keys: [FlagKeyPath]) -> [FlagKeyPath: FlagValue] {
        guard case .array(let values)? = document.value(of: [.key(name)]) else { return [:] }
        return Dictionary(zip(keys, values), uniquingKeysWith: { _, last in last })
    }

    /// Returns the manifest without the definitions of some flags.
    ///
    /// - Parameters:
    ///   - keys: The flags to leave out.
    ///   - groups: The groups to keep, or `nil` for all; hides groups of omitted flags.
    /// - Returns: The file's own bytes if it defines none of `keys`, else a newly written file.
    /// - Throws: A ``PropertyListError`` if the rest can't be written.
    public func omitting(
        _ keys: Set<FlagKeyPath>, keeping groups: Set<FlagKeyPath>? = nil
    ) throws(PropertyListError) -> Data {
        guard content.definitions.contains(where: { keys.contains($0.key) }), case .dictionary(var root) = document.root
        else {
            return document.source
        }
        if case .array(let flags) = root["flags"] {
            root["flags"] = .array(zip(flags, content.definitions).filter { !keys.contains($0.1.key) }.map(\.0))
        }
        if let groups, case .array(let entries) = root["collections"] {
            root["collections"] = .array(zip(entries, collections).filter { groups.contains($0.1.key) }.map(\.0))
        }
        return try PropertyListDocument(root: .dictionary(root)).source
    }
}
