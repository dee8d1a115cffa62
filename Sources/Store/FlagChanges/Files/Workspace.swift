import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The values files and the manifest, as last read.
struct Workspace: Sendable {
    /// A values file and what it says.
    struct Values: Sendable {
        let provider: FlagFiles.Provider
        /// `nil` where the file is not there.
        let reading: FileReading?
        /// What it says, or why that can't be known.
        let content: Result<PropertyListDocument, FileProblem>
        /// What it said when it could last be read, where it can't be now.
        var lastSound: PropertyListDocument?
        /// The hash of ``lastSound``.
        var lastSoundHash: Data?
        /// The last good values, as they were stored, of flags whose values are broken.
        var lastGood: [FlagKeyPath: FlagValue] = [:]

        /// What it says, or said when it could last be read.
        var lastDocument: PropertyListDocument? {
            if case .success(let document) = content { document } else { lastSound }
        }
    }

    /// The manifest file and what it says.
    struct Manifest: Sendable {
        let url: URL
        /// `nil` where the file is not there.
        let reading: FileReading?
        /// What it says (`nil` where it is not there), or why that can't be known.
        let content: Result<FlagManifest?, FileProblem>
    }

    var values: [Values]
    var manifest: Manifest
    /// The last manifest that could be read.
    ///
    /// It keeps internal flags hidden and locked ones locked while the file is broken.
    var lastSoundManifest: FlagManifest?
    /// The flags that were internal as long as they were defined: what the history tells of them stays hidden.
    var formerInternals: Set<FlagKeyPath> = []
    /// The providers of the app that the service is part of.
    var appProviders: [AppProvider] = []
    /// Why what a file holds for flags can't be relied on, by the name of the file's provider.
    var brokenFlags: [String: [FlagKeyPath: FlagValueError]] = [:]
    /// The flags that this app does not read from a file, by the name of the file's provider.
    var unreadFlags: [String: Set<FlagKeyPath>] = [:]

    /// The definitions in force.
    var definitions: FlagManifest? {
        if case .success(let manifest) = manifest.content { manifest } else { lastSoundManifest }
    }

    /// The flags that must not appear anywhere.
    func hiddenFlags(showsInternal: Bool) -> Set<FlagKeyPath> {
        guard !showsInternal else { return [] }
        return formerInternals.subtracting(definitions?.definedKeys ?? []).union(internals)
    }

    /// The flags that are defined to be internal.
    var internals: Set<FlagKeyPath> {
        definitions?.content.internalKeys ?? []
    }

    /// The flags that are defined to hold a dictionary.
    var dictionaryKeys: Set<FlagKeyPath> {
        definitions?.dictionaryKeys ?? []
    }

    /// The flags whose type is `json`.
    var jsonKeys: Set<FlagKeyPath> {
        definitions?.content.jsonKeys ?? []
    }

    /// The definitions whose values a change at a key would reach, apart from its own: those inside it, and the one that
    /// it is inside of.
    func definitions(reachedFrom key: FlagKeyPath) -> [FlagDefinition] {
        definitions?.definitions(collidingWith: key) ?? []
    }

    /// Takes up what the app that the service is part of says of its flags.
    mutating func takeUpApp(_ options: ChangeServiceOptions) {
        appProviders = options.appProviders()
        brokenFlags = options.brokenFlags()
        unreadFlags = options.unreadFlags
    }

    /// The flags that the app does not read from a file.
    func unreadFlags(of file: Values) -> Set<FlagKeyPath> { unreadFlags[file.provider.name] ?? [] }

    /// Why files can't be read, one for each.
    var fileProblems: [FileProblem] { problems(of: values) }

    /// Why files can't be read that a read asks; what is wrong with another environment changes nothing here.
    var problemsOfReads: [FileProblem] { problems(of: values.filter(\.provider.isAsked)) }

    private func problems(of files: [Values]) -> [FileProblem] {
        var fileProblems: [FileProblem] = []
        for file in files {
            guard case .failure(var fileProblem) = file.content else { continue }
            fileProblem.provider = file.provider.name
            fileProblems.append(fileProblem)
        }
        if case .failure(let fileProblem) = manifest.content { fileProblems.append(fileProblem) }
        return fileProblems
    }

    /// The providers to resolve flags against.
    func snapshots(isReadOnly: Bool) -> [ValuesSnapshot] {
        let dictionaryKeys = dictionaryKeys
        let files = values.map { file in
            ValuesSnapshot(
                name: file.provider.name, shortDescription: file.provider.shortDescription,
                isWritable: file.provider.isWritable && !isReadOnly, content: file.content.map(ProviderContents.file),
                dictionaryKeys: dictionaryKeys, broken: brokenFlags[file.provider.name] ?? [:],
                isAsked: file.provider.isAsked,
                lastSound: file.lastSound.map(ProviderContents.file), lastGood: file.lastGood,
                unreadFlags: unreadFlags(of: file))
        }
        return appProviders.joined(with: files, dictionaryKeys)
    }
}

extension Workspace {
    /// Takes up from the history which flags were internal until they were removed, renamed, or dropped from the manifest.
    mutating func rememberInternals(of history: HistoryStore) throws(HistoryStoreError) {
        for (key, entry) in try history.lastDefinitions() {
            guard case .dictionary(let fields) = entry, fields["isInternal"] == .bool(true) else { continue }
            formerInternals.insert(key)
        }
    }
}

extension Workspace {
    /// The files that changes replace and that have other names (hard links).
    ///
    /// A change makes a new file for one name alone, which is right where the other one is a backup, and not where an app
    /// reads it.
    var linkedFiles: [URL] {
        let values = values.filter(\.provider.isWritable).map { ($0.provider.url, $0.reading) }
        return (values + [(manifest.url, manifest.reading)]).compactMap { url, reading in
            (reading?.signature.links ?? 1) > 1 ? url : nil
        }
    }

    /// Tells the operator which files have other names.
    func tellLinkedFiles(besides told: [URL], _ log: (String) -> Void) {
        for url in linkedFiles where !told.contains(url) {
            log(
                "\(url.path(percentEncoded: false)): it has another name (a hard link); the next change parts the two, and "
                    + "what reads the other name goes on with what is there now")
        }
    }
}
