import DurableFiles
import FeatureFlags
import Foundation

/// Flags in an XML property list, as RealFlags' provider of the same name keeps them, or in memory alone.
///
/// ```swift
/// let local = LocalProvider(localURL: URL(fileURLWithPath: "flags.xml"))
/// let flags = FlagsLoader(ShopFlags.self, providers: [local])
/// try flags.$paymentRetries.set(5, in: local.name)  // rewrites the bytes of this one value
/// ```
///
/// Every change is saved at once, touching only the bytes of the flag. A file that was never there reads as empty and is made by
/// the first change, with its folders where these are missing too. One that can't be read is *broken*: it is never overwritten,
/// and read again once it is corrected. So is one that was there and is missing, but for a change, which makes it anew. Meanwhile
/// flags keep the last good values, marked as stale in what `Flag.explain()` and the diagnostics tell.
///
/// On Linux the file is watched: what others write to it is read as soon as the system tells of it. What the system does
/// not tell of, such as an edit by another machine or through mapped memory, is looked for every 5 s. A file that is missing
/// or can't be read counts as broken after half a second, unless told otherwise, since it may be half written. Elsewhere,
/// and where the file's folders can't be watched, each read looks whether the file has changed, and there is no ``store``.
///
/// Any number of threads may use one provider, and no read waits for a write. Other writers of the file are noticed, not
/// locked out.
///
/// A class of its own, `final class Overrides: LocalProvider, @unchecked Sendable {}`, tells a provider from others where
/// types are listed; so does its ``name`` where names are.
// The reason for `@unchecked`: what the class holds is constant and safe to share, and the compiler takes that from final
// classes alone.
open class LocalProvider: FlagsProvider, @unchecked Sendable {
    /// The name that tells this provider from the others.
    public let name: String
    /// Whether changes are allowed.
    public let isWritable: Bool
    private let storage: Storage

    private enum Storage {
        case memory(FlagValueStore)
        case file(ValuesFile)
    }

    /// Makes a provider of the values in a file.
    ///
    /// - Parameters:
    ///   - localURL: The file, which need not exist.
    ///   - name: The name that tells it from the other providers.
    ///   - isWritable: Whether changes are allowed.
    ///   - isWatched: Whether the file is watched, where it can be; else each read looks whether it has changed.
    ///   - patience: How long a watched file may be missing or unreadable before that is told.
    public init(
        localURL: URL, name: String = "Local", isWritable: Bool = true, isWatched: Bool = true,
        patience: Duration = .milliseconds(500)
    ) {
        self.name = name
        self.isWritable = isWritable
        storage = .file(ValuesFile(localURL, isWatched: isWatched, patience: patience))
    }

    /// Makes a provider of values in memory.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - values: The values, nested as in a file: `["ui": ["blue_text": true]]`.
    ///   - isWritable: Whether changes are allowed.
    public init(name: String = "Ephemeral", values: [String: FlagValue] = [:], isWritable: Bool = true) {
        self.name = name
        self.isWritable = isWritable
        storage = .memory(FlagValueStore(values))
    }

    /// Makes a provider of values in memory, from what Foundation reads of a property list or of JSON, or from Swift values.
    ///
    /// A literal that is all `FlagValue` literals needs no `try`, since it makes the provider without this initialiser.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - values: Booleans, numbers, texts, dates, data, URLs, other `FlagProtocol` values, and arrays and dictionaries
    ///     of these, nested as in a file.
    ///   - isWritable: Whether changes are allowed.
    /// - Throws: The place of the first entry that is none of these.
    @_disfavoredOverload
    public convenience init(
        name: String = "Ephemeral", values: [String: Any], isWritable: Bool = true
    ) throws(FlagValueError) {
        self.init(name: name, values: try FlagValue.entries(foundation: values), isWritable: isWritable)
    }

    /// The file; `nil` for values in memory.
    public var localURL: URL? {
        if case .file(let file) = storage { file.url } else { nil }
    }

    /// Where the values are kept.
    public var shortDescription: String? {
        localURL.map { "The property list \($0.path)" } ?? "Values in memory, gone when the process ends"
    }

    /// The values; `nil` where they are in a file that can't be watched.
    public var store: FlagValueStore? {
        switch storage {
        case .memory(let store): store
        case .file(let file): file.store
        }
    }

    /// A store of its own that holds what the provider does now, and stays as it is.
    package var currentValues: FlagValueStore {
        switch storage {
        case .memory(let store): FlagValueStore(copying: store)
        case .file(let file): file.currentValues
        }
    }

    /// The value that the file or the memory holds.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none, or there never was a file.
    /// - Throws: Where the file can't be read or is gone, or a component above the last is no dictionary.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        switch storage {
        case .memory(let store): try store.value(at: key)
        case .file(let file): try file.value(at: key)
        }
    }

    /// What the file or the memory last held, also while the file can't be read.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The values, newest first.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        switch storage {
        case .memory(let store): store.lastValues(at: key)
        case .file(let file): file.lastValues(at: key)
        }
    }

    /// Stores or removes a value, and saves.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Throws: Where the provider is not writable, the file can't be read or written, or the value can't be stored there;
    ///   nothing changed then. Where only the folder can't be synchronized, the file holds the change, and a loss of
    ///   power may undo it.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        switch storage {
        case .memory(let store): try store.set(value, at: key)
        case .file(let file):
            try file.edit { if let value { try $0.setting(value, at: key) } else { try $0.removing(key) } }
        }
    }

    /// Removes every value, and saves.
    ///
    /// The file stays, with an empty dictionary: another program that has it open, such as a dashboard, takes one that is
    /// gone for an accident.
    ///
    /// - Throws: Where the provider is not writable, or the file can't be read or written; nothing changed then.
    public func resetAllData() throws {
        try checkWritable()
        switch storage {
        case .memory(let store): store.replace(with: [:])
        case .file(let file): try file.edit { try $0.removingAll() }
        }
    }

    /// Takes up what the file holds now, before the system tells of it.
    ///
    /// It waits for this provider's own changes that came before it. Values in memory have no file.
    ///
    /// - Throws: Why the file can't be read; flags keep their last good values, as ever.
    public func refresh() throws {
        if case .file(let file) = storage { try file.refresh() }
    }

    /// Makes sure that all values are on the disk, as RealFlags' method of the same name does.
    ///
    /// Every change has been saved when it returns, so there is nothing to write; values in memory have no file.
    ///
    /// - Throws: Where there is a file that can't be read.
    public func saveToDisk() throws {
        if case .file(let file) = storage { _ = try file.document() }
    }

    /// Saves a copy of the values: the file's very bytes, or a new property list of the values in memory.
    ///
    /// - Parameter url: Where to; a file that is there is replaced.
    /// - Throws: Where the values can't be read or stored, or the file can't be written.
    public func saveToDisk(to url: URL) throws {
        let document =
            switch storage {
            case .memory(let store): try PropertyListDocument(root: .dictionary(store.values))
            case .file(let file): try file.document() ?? .empty()
            }
        let target = AtomicFile.target(of: url)
        let mode = try AtomicFile.signature(of: target)?.mode
        try AtomicFile.replace(target, with: document.source, mode: mode)
    }
}

extension PropertyListDocument {
    fileprivate func removingAll() throws(PropertyListEditError) -> PropertyListDocument {
        guard case .dictionary(let values) = root else { return self }
        return try omitting(Set(values.keys.map { FlagKeyPath(components: [$0]) }))
    }
}

extension LayeredFlags {
    /// Loads a collection whose first level is a property list file, as SwiftFeatureConfigs finds it: the one that is
    /// given, else the collection's own in the app's resources (``overrideFile(in:)``), else none.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - overrideFile: The file, which only developers and testers should have; each collection can have another. It is
    ///     never written, and its name is the provider's.
    ///   - persisted: The third level, which is there when the process starts again.
    ///   - keyConfiguration: How key paths are made from the names of properties.
    public convenience init(
        _ collectionType: Collection.Type, overrideFile: URL?, persisted: any FlagsProvider,
        keyConfiguration: KeyConfiguration = KeyConfiguration(keyTransform: .none)
    ) {
        let file = overrideFile ?? Bundle.main.resourceURL.flatMap(Self.overrideFile)
        self.init(
            collectionType,
            override: file.map { LocalProvider(localURL: $0, name: $0.lastPathComponent, isWritable: false) },
            persisted: persisted, keyConfiguration: keyConfiguration)
    }

    /// The file in a folder that is named as the collection, with `.plist`.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: `nil` where there is none.
    public static func overrideFile(in folder: URL) -> URL? {
        let file = folder.appendingPathComponent("\(Collection.self).plist")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
