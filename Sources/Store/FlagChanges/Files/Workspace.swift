import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct Workspace: Sendable {
    struct Values: Sendable {
        let provider: FlagFiles.Provider
        /// `nil` without a file.
        let reading: FileReading?
        let content: Result<PropertyListDocument, FileProblem>
        var lastSound: PropertyListDocument?
        var lastSoundHash: Data?
        var lastGood: [FlagKeyPath: FlagValue] = [:]

        var lastDocument: PropertyListDocument? {
            if case .success(let document) = content { document } else { lastSound }
        }
    }

    struct Manifest: Sendable {
        let url: URL
        let reading: FileReading?
        /// `nil` without a file.
        let content: Result<FlagManifest?, FileProblem>
    }

    var values: [Values]
    var manifest: Manifest
    /// The last readable manifest, so that internal flags stay hidden and locked ones locked while the file is broken.
    var lastSoundManifest: FlagManifest?
    /// The flags that were internal when last defined: their history stays hidden.
    var formerInternals: Set<FlagKeyPath> = []
    var appProviders: [AppProvider] = []
    private var defaults: [DefaultsFile: DefaultsFile.Known] = [:]
    /// The problems of followed sources, by provider: of single flags, and of all.
    private(set) var brokenFlags: [String: [FlagKeyPath: FlagValueError]] = [:]
    private(set) var brokenSources: [String: FileProblem] = [:]

    var definitions: FlagManifest? {
        if case .success(let manifest) = manifest.content { manifest } else { lastSoundManifest }
    }

    func hiddenFlags(showsInternal: Bool) -> Set<FlagKeyPath> {
        guard !showsInternal else { return [] }
        return formerInternals.subtracting(definitions?.definedKeys ?? []).union(internals)
    }

    var internals: Set<FlagKeyPath> {
        definitions?.content.internalKeys ?? []
    }

    var dictionaryKeys: Set<FlagKeyPath> {
        definitions?.dictionaryKeys ?? []
    }

    var jsonKeys: Set<FlagKeyPath> {
        definitions?.content.jsonKeys ?? []
    }

    /// Returns the definitions inside or around a key, which a change there would affect.
    func definitions(reachedFrom key: FlagKeyPath) -> [FlagDefinition] {
        definitions?.definitions(collidingWith: key) ?? []
    }

    mutating func takeUpApp(_ options: ChangeServiceOptions, _ files: FlagFiles, previous: Workspace? = nil) {
        for file in files.defaults {
            defaults[file] = file.read(known: previous?.defaults[file], upTo: files.maximumFileSize)
        }
        appProviders = files.defaults.compactMap { defaults[$0]?.provider } + options.appProviders()
        (brokenFlags, brokenSources) = ([:], [:])
        for source in options.sources {
            let status = source.status()
            brokenFlags[source.provider] = status.broken
            if status.isBroken, let problem = status.problem {
                brokenSources[source.provider] = FileProblem("\(problem.text).", of: status.source)
            }
        }
    }

    func unreadFlags(of file: Values) -> Set<FlagKeyPath> {
        definitions?.content.unreadKeys(from: file.provider.declaredName) ?? []
    }

    var writableNames: [String] { values.map(\.provider).filter(\.isWritable).map(\.name) }

    var fileProblems: [FileProblem] { problems(of: values) }

    var problemsOfReads: [FileProblem] { problems(of: values.filter(\.provider.isAsked)) }

    private func problems(of files: [Values]) -> [FileProblem] {
        var fileProblems: [FileProblem] = []
        for file in files {
            guard var fileProblem = problem(of: file) else { continue }
            fileProblem.provider = file.provider.name
            fileProblems.append(fileProblem)
        }
        if case .failure(let fileProblem) = manifest.content { fileProblems.append(fileProblem) }
        return fileProblems
    }

    /// The reason why none of a file's values is more than a last good one.
    private func problem(of file: Values) -> FileProblem? {
        if case .failure(let fileProblem) = file.content { fileProblem } else { brokenSources[file.provider.name] }
    }

    func snapshots(isReadOnly: Bool) -> [ValuesSnapshot] {
        let dictionaryKeys = dictionaryKeys
        let files = values.map { file in
            ValuesSnapshot(
                name: file.provider.name, shortDescription: file.provider.shortDescription,
                isWritable: file.provider.isWritable && !isReadOnly, areOverrides: file.provider.isWritable,
                content: problem(of: file).map { .failure($0) } ?? file.content.map(ProviderContents.file),
                dictionaryKeys: dictionaryKeys, broken: brokenFlags[file.provider.name] ?? [:],
                isAsked: file.provider.isAsked,
                lastSound: file.lastDocument.map(ProviderContents.file), lastGood: file.lastGood,
                unreadFlags: unreadFlags(of: file))
        }
        return appProviders.joined(with: files, dictionaryKeys, isReadOnly: isReadOnly, definitions)
    }
}

extension Workspace {
    mutating func rememberInternals(of history: HistoryStore) throws(HistoryStoreError) {
        for (key, entry) in try history.lastDefinitions() {
            guard case .dictionary(let fields) = entry, fields["isInternal"] == .bool(true) else { continue }
            formerInternals.insert(key)
        }
    }
}

extension Workspace {
    /// The writable files with hard links.
    ///
    /// A change replaces one name alone: right for a backup, wrong if an app reads the other.
    var linkedFiles: [URL] {
        let values = values.filter(\.provider.isWritable).map { ($0.provider.url, $0.reading) }
        return (values + [(manifest.url, manifest.reading)]).compactMap { url, reading in
            (reading?.signature.links ?? 1) > 1 ? url : nil
        }
    }

    func tellLinkedFiles(besides told: [URL], _ log: (String) -> Void) {
        for url in linkedFiles where !told.contains(url) {
            log(
                "\(url.path(percentEncoded: false)) has a hard link. The next change separates the two, and programs "
                    + "that use the other name keep the old content. Use a symbolic link instead")
        }
    }
}
