import DurableFiles
import FeatureFlags
import Foundation

/// Flags in an XML property list, in the format of RealFlags' provider of the same name, or in memory.
///
/// ```swift
/// let local = LocalProvider(localURL: URL(fileURLWithPath: "flags.xml"))
/// let flags = FlagsLoader(ShopFlags.self, providers: [local])
/// try flags.$paymentRetries.set(5, in: local.name)  // rewrites the bytes of this one value
/// ```
///
/// Every change is saved at once and touches only the bytes of the flag. A file that never existed reads as empty; the
/// first change creates it, with its folders. An unreadable file is *broken*: it is never overwritten, and is read
/// again once it is corrected. A file that has disappeared is broken too, but a change recreates it. While the file is
/// broken, flags keep their last good values, marked as stale in `Flag.explain()` and the diagnostics.
///
/// A binary property list, such as one in an app's bundle, is read too. A change is refused, or rewrites the whole file
/// as binary (`keepsBinary`). Read only binary files that you trust: their size in memory has no limit.
///
/// On Linux the file is watched, and checked every 5 s for changes that the system doesn't report, such as those by
/// another machine or through mapped memory. A missing or unreadable file, which may be half written, counts as broken
/// after half a second by default. On other platforms, and where the folders can't be watched, each read checks the
/// file, and ``store`` is `nil`.
///
/// Any number of threads can use one provider, and no read waits for a write. Other writers of the file are noticed,
/// not locked out.
///
/// Two providers of this type are distinguished by their ``name``. Where code lists types instead, use a subclass:
/// `final class Overrides: LocalProvider, @unchecked Sendable {}`.
// `@unchecked` because the compiler accepts only final classes: the stored properties are constant and sendable.
open class LocalProvider: FlagsProvider, @unchecked Sendable {
    /// The provider's unique name.
    public let name: String
    /// `true` if changes are allowed.
    public let isWritable: Bool
    private let storage: Storage

    private enum Storage {
        case memory(FlagValueStore)
        case file(ValuesFile)
    }

    /// Creates a provider of the values in a file.
    ///
    /// - Parameters:
    ///   - localURL: The file, which need not exist.
    ///   - name: The provider's unique name.
    ///   - isWritable: `true` to allow changes.
    ///   - isWatched: `true` to watch the file if possible; otherwise each read checks it for changes.
    ///   - patience: The time that a watched file may be missing or unreadable before it counts as broken.
    ///   - keepsBinary: `true` to write a binary property list as one; otherwise its changes are refused.
    public init(
        localURL: URL, name: String = "Local", isWritable: Bool = true, isWatched: Bool = true,
        patience: Duration = .milliseconds(500), keepsBinary: Bool = false
    ) {
        self.name = name
        self.isWritable = isWritable
        storage = .file(ValuesFile(localURL, isWatched: isWatched, patience: patience, keepsBinary: keepsBinary))
    }

    /// Creates a provider of values in memory.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - values: The values, nested as in a file: `["ui": ["blue_text": true]]`.
    ///   - isWritable: `true` to allow changes.
    public init(name: String = "Ephemeral", values: [String: FlagValue] = [:], isWritable: Bool = true) {
        self.name = name
        self.isWritable = isWritable
        storage = .memory(FlagValueStore(values))
    }

    /// Creates a provider of values in memory from Swift values, or from a property list or JSON as Foundation reads
    /// them.
    ///
    /// A literal of `FlagValue` literals needs no `try`, since it selects the other initializer.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - values: Booleans, numbers, texts, dates, data, URLs, other `FlagProtocol` values, and arrays and
    ///     dictionaries of these, nested as in a file.
    ///   - isWritable: `true` to allow changes.
    /// - Throws: The place of the first entry of another type.
    @_disfavoredOverload
    public convenience init(
        name: String = "Ephemeral", values: [String: Any], isWritable: Bool = true
    ) throws(FlagValueError) {
        self.init(name: name, values: try FlagValue.entries(foundation: values), isWritable: isWritable)
    }

    /// The file, or `nil` for values in memory.
    public var localURL: URL? {
        if case .file(let file) = storage { file.url } else { nil }
    }

    /// The place of the values, in words.
    public var shortDescription: String? {
        localURL.map { "The property list \($0.path)" } ?? "Values in memory, gone when the process ends"
    }

    /// The values, or `nil` for a file that can't be watched.
    public var store: FlagValueStore? {
        switch storage {
        case .memory(let store): store
        case .file(let file): file.store
        }
    }

    /// A copy of the provider's values, which doesn't follow later changes.
    package var currentValues: FlagValueStore {
        switch storage {
        case .memory(let store): FlagValueStore(copying: store)
        case .file(let file): file.currentValues
        }
    }

    /// Returns the value in the file or in memory; `nil` for none, or if the file never existed.
    ///
    /// - Throws: An error if the file is unreadable or gone, or a component above the last is not a dictionary.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        switch storage {
        case .memory(let store): try store.value(at: key)
        case .file(let file): try file.value(at: key)
        }
    }

    /// Returns the last known values, even while the file is unreadable.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        switch storage {
        case .memory(let store): store.lastValues(at: key)
        case .file(let file): file.lastValues(at: key)
        }
    }

    /// Stores or removes a value, and saves.
    ///
    /// - Throws: An error if the provider is read-only, the file can't be read or written, or the value can't be stored
    ///   there; nothing has changed then. If only the folder can't be synchronized, the file holds the change, but a
    ///   loss of power may undo it.
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
    /// The file stays, with an empty dictionary: a program that reads it, such as a dashboard, would treat its removal
    /// as an accident.
    ///
    /// - Throws: An error if the provider is read-only or the file can't be read or written; nothing has changed then.
    public func resetAllData() throws {
        try checkWritable()
        switch storage {
        case .memory(let store): store.replace(with: [:])
        case .file(let file): try file.edit { try $0.removingAll() }
        }
    }

    /// Reads the file now, without waiting for the system to report a change.
    ///
    /// Waits for earlier changes by this provider. Has no effect for values in memory.
    ///
    /// - Throws: An error if the file is unreadable; flags keep their last good values.
    public func refresh() throws {
        if case .file(let file) = storage { try file.refresh() }
    }

    /// Checks that the file can be read; every change is already saved.
    ///
    /// RealFlags has a method of this name.
    ///
    /// - Throws: An error if the file exists and is unreadable.
    public func saveToDisk() throws {
        if case .file(let file) = storage { _ = try file.document() }
    }

    /// Saves a copy of the values: the exact bytes of an XML file; of a binary file or values in memory, a new XML
    /// property list.
    ///
    /// - Parameter url: The destination; an existing file is replaced.
    /// - Throws: An error if the values can't be read or stored, or the file can't be written.
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
    /// Loads a collection with a property list file as its first level, as SwiftFeatureConfigs does.
    ///
    /// Without a given file, the collection's own file in the app's resources is used, if there is one
    /// (``overrideFile(in:)``).
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - overrideFile: The file, which only developers and testers should have. It is never written, and its name is
    ///     the provider's.
    ///   - persisted: The third level, which outlives the process.
    ///   - keyConfiguration: The naming rules of key paths.
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

    /// Returns the file in a folder that is named after the collection, with `.plist`.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The file, or `nil` if it does not exist.
    public static func overrideFile(in folder: URL) -> URL? {
        let file = folder.appendingPathComponent("\(Collection.self).plist")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
