import FeatureFlags
import Foundation

/// The definitions of the flags and groups of a project, as `flags.manifest.xml` holds them.
///
/// ```swift
/// let manifest = try manager.manifest()
/// for definition in manifest.definitions { print(definition.key, definition.type) }
/// let read = try FlagManifest(document: PropertyListDocument(source: manifest.document.source))
/// ```
///
/// The root is a dictionary of `version` (the integer 1), `flags` (an array of dictionaries, each with `key` and `type`
/// and the other fields that describe the flag) and `collections`. Entries that are unknown here are kept in the file:
/// see ``unknownFields``.
public struct FlagManifest: Sendable {
    /// The file's bytes and what they say.
    public let document: PropertyListDocument
    /// The flags and groups that it defines.
    package let content: FlagManifestContent

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - source: The bytes of the file.
    ///   - maximumSize: The most bytes that it may have, now and after an edit.
    /// - Throws: ``FlagManifestError`` that names each flag, field and line that is wrong.
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

    /// Reads a manifest that is a property list already.
    ///
    /// - Parameter document: The property list.
    /// - Throws: ``FlagManifestError`` that names each flag, field and line that is wrong.
    public init(document: PropertyListDocument) throws(FlagManifestError) {
        content = try FlagManifestContent(root: document.root) { document.location(of: $0) }
        self.document = document
    }

    /// A manifest of which it is known what its document defines.
    init(document: PropertyListDocument, content: FlagManifestContent) {
        self.document = document
        self.content = content
    }

    /// The flags, in the file's order; the list is made anew each time.
    public var definitions: [FlagDefinition] { Array(content.definitions) }

    /// The groups, in the file's order.
    public var collections: [FlagCollectionDefinition] { content.collections }

    /// Each flag's entry as the file holds it, by the flag's key path: what the history keeps of a definition.
    public var storedEntries: [FlagKeyPath: FlagValue] { storedEntries("flags", of: content.definitions.map(\.key)) }

    /// Each group's entry as the file holds it, by the group's key path.
    public var storedCollections: [FlagKeyPath: FlagValue] { storedEntries("collections", of: collections.map(\.key)) }

    /// What else the root dictionary holds, by name.
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

    /// The manifest without the definitions of some flags.
    ///
    /// - Parameters:
    ///   - keys: The flags to leave out.
    ///   - groups: The groups that may be named, `nil` for all. The others are left out too, so that a group of such
    ///     flags alone does not show.
    /// - Returns: The file's own bytes where none of `keys` is defined here, else a newly written file.
    /// - Throws: ``PropertyListError`` where the rest can't be written.
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
