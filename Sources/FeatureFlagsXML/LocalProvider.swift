import FeatureFlags
import Foundation
import Synchronization

/// Flags in an XML property list, as RealFlags' provider of the same name keeps them, or in memory alone.
///
/// The file is read again whenever it has changed, and every change is saved at once, touching only the bytes of the
/// flag. A missing file reads as empty and is made by the first change. One that can't be read is never overwritten.
/// Any number of threads may use one provider; other writers of the file are noticed, not locked out.
public final class LocalProvider: FlagsProvider {
    /// The name that tells this provider from the others.
    public let name: String
    /// Whether changes are allowed.
    public let isWritable: Bool
    /// The file; `nil` for values in memory.
    public let localURL: URL?
    private let storage: Mutex<Storage>

    private struct Storage {
        /// The values in memory, where there is no file.
        var values = FlagValue.dictionary([:])
        /// What was last read from the file.
        var cache: Cache?
    }

    private struct Cache {
        let contents: AtomicFile.Contents
        let document: Result<PropertyListDocument, FlagValueProblem>
        /// Whether the file was old enough when read that a later change must show in its signature.
        let isSettled: Bool
    }

    /// Makes a provider of the values in a file.
    ///
    /// - Parameters:
    ///   - localURL: The file, which need not exist.
    ///   - name: The name that tells it from the other providers.
    ///   - isWritable: Whether changes are allowed.
    public init(localURL: URL, name: String = "Local", isWritable: Bool = true) {
        self.localURL = localURL
        self.name = name
        self.isWritable = isWritable
        storage = Mutex(Storage())
    }

    /// Makes a provider of values in memory.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - values: The values, nested as in a file.
    ///   - isWritable: Whether changes are allowed.
    public init(name: String, values: [String: FlagValue] = [:], isWritable: Bool = true) {
        localURL = nil
        self.name = name
        self.isWritable = isWritable
        storage = Mutex(Storage(values: .dictionary(values)))
    }

    /// Where the values are kept.
    public var shortDescription: String {
        localURL.map { "The property list \($0.path)" } ?? "Values in memory, gone when the process ends"
    }

    /// The value that the file or the memory holds.
    ///
    /// - Parameter key: Where it stands.
    /// - Returns: `nil` where there is none, be it that there is no file.
    /// - Throws: Where the file can't be read, or a component above the last is no dictionary.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue? {
        try storage.withLock { (storage) throws(FlagValueProblem) -> FlagValue? in
            guard let localURL else {
                do throws(PathBlock) {
                    return try storage.values.value(at: key)
                } catch {
                    throw FlagValueProblem("\(error.text), not a dictionary, so \(key.text) can't be read")
                }
            }
            return try Self.document(localURL, &storage)?.value(at: key)
        }
    }

    /// Stores or removes a value, and saves.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: Where it stands.
    /// - Throws: Where the provider is not writable, the file can't be read or written, or the value can't be stored there;
    ///   nothing changed then. Where only the folder can't be synchronized, the file holds the change, and a loss of
    ///   power may undo it.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        try storage.withLock { storage in
            guard let localURL else {
                storage.values = try Self.changed(storage.values, value, at: key)
                return
            }
            try Self.edit(localURL, &storage) { document in
                if let value { try document.setting(value, at: key) } else { try document.removing(key) }
            }
        }
    }

    /// Removes every value, and saves.
    ///
    /// - Throws: Where the provider is not writable, or the file can't be read or written; nothing changed then.
    public func resetAllData() throws {
        try checkWritable()
        try storage.withLock { storage in
            storage.values = .dictionary([:])
            guard let localURL else { return }
            try Self.edit(localURL, &storage) { document in
                guard case .dictionary(let values) = document.root else { throw Self.rootProblem(document.root) }
                return try document.omitting(Set(values.keys.map { FlagKeyPath(components: [$0]) }))
            }
        }
    }

    /// Saves a copy of the values: the file's very bytes, or a new property list of the values in memory.
    ///
    /// - Parameter url: Where to; a file that is there is replaced.
    /// - Throws: Where the values can't be read or stored, or the file can't be written.
    public func saveToDisk(to url: URL) throws {
        let document = try storage.withLock { storage in
            guard let localURL else { return try PropertyListDocument(root: storage.values) }
            return try Self.document(localURL, &storage) ?? .empty()
        }
        let target = AtomicFile.target(of: url)
        let mode = try AtomicFile.signature(of: target)?.mode
        try AtomicFile.rename(try AtomicFile.writeTemporary(document.source, beside: target, mode: mode), to: target)
        try AtomicFile.synchronizeFolder(of: target)
    }

    private func checkWritable() throws(FlagValueProblem) {
        guard isWritable else {
            throw FlagValueProblem("the provider \(name) is read-only; change the value in another one")
        }
    }

    private static func rootProblem(_ root: FlagValue) -> FlagValueProblem {
        FlagValueProblem("the root is \(root.briefDescription), not a <dict>; correct the file")
    }

    private static func changed(_ values: FlagValue, _ value: FlagValue?, at key: FlagKeyPath) throws -> FlagValue {
        do throws(PathBlock) {
            _ = try values.value(at: key)
        } catch {
            throw PropertyListEditError(.blocked(error, nil), key: key)
        }
        return values.setting(value, at: key.components[...])
    }

    /// What the file holds now; `nil` where there is no file.
    private static func document(_ url: URL, _ storage: inout Storage) throws(FlagValueProblem)
        -> PropertyListDocument?
    {
        do throws(FileAccessError) {
            let signature = try AtomicFile.signature(of: url)
            if signature == nil {
                storage.cache = nil
            } else if storage.cache?.isSettled != true || storage.cache?.contents.signature != signature {
                storage.cache = cache(of: try AtomicFile.read(url), after: storage.cache, url: url)
            }
        } catch {
            storage.cache = nil
            throw FlagValueProblem(error.description)
        }
        return try storage.cache?.document.get()
    }

    /// A file system's clock stands still for up to 10 ms: a change within that time of another may leave no trace in the
    /// signature, so the bytes of such a file are compared.
    private static func cache(of contents: AtomicFile.Contents, after old: Cache?, url: URL) -> Cache {
        let now = Int128(Date().timeIntervalSince1970 * 1_000_000_000)
        let isSettled = now - max(contents.signature.modified, contents.signature.changed) > 100_000_000
        if let old, old.contents.data == contents.data {
            return Cache(contents: contents, document: old.document, isSettled: isSettled)
        }
        let document: Result<PropertyListDocument, FlagValueProblem>
        do throws(PropertyListError) {
            document = .success(try PropertyListDocument(source: contents.data))
        } catch {
            document = .failure(FlagValueProblem("\(url.path) can't be read: \(error)"))
        }
        return Cache(contents: contents, document: document, isSettled: isSettled)
    }

    /// Applies an edit to the file; where another writer was faster, to what that one wrote.
    private static func edit(
        _ url: URL, _ storage: inout Storage, _ edit: (PropertyListDocument) throws -> PropertyListDocument
    ) throws {
        for _ in 0..<5 {
            let document = try document(url, &storage)
            let before = storage.cache?.contents
            let edited = try edit(document ?? .empty())
            if edited.source == (document ?? .empty()).source { return }
            let target = AtomicFile.target(of: url)
            let temporary = try AtomicFile.writeTemporary(edited.source, beside: target, mode: before?.signature.mode)
            guard try AtomicFile.signature(of: target) == before?.signature else {
                unlink(temporary.path)
                continue
            }
            try AtomicFile.rename(temporary, to: target)
            storage.cache = nil
            try AtomicFile.synchronizeFolder(of: target)
            return
        }
        throw FileAccessError(.changing, path: url.path, action: "written")
    }
}
