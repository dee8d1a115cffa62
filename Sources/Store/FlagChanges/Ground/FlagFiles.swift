import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The files of a change service.
public struct FlagFiles: Hashable, Sendable {
    static let temporaryWriter = "flagboard"

    /// A property-list file of values.
    public struct Provider: Hashable, Sendable {
        /// The unique name.
        public let name: String
        /// The file, with links resolved at the last look.
        public private(set) var url: URL
        /// The given path, whose links may change at any time.
        package let given: URL
        /// True if changes are allowed.
        public let isWritable: Bool
        /// False for another environment, which reads ignore.
        public let isAsked: Bool
        /// The origin of the values, such as another server's address.
        public let origin: String?
        /// The name in the app's code, by which flags state that they aren't read from here.
        let declaredName: String

        /// Creates a provider and follows links.
        public init(name: String, url: URL, isWritable: Bool, isAsked: Bool = true, origin: String? = nil) {
            self.init(
                name: name, declaredName: name, url: url, isWritable: isWritable, isAsked: isAsked, origin: origin)
        }

        fileprivate init(
            name: String, declaredName: String, url: URL, isWritable: Bool, isAsked: Bool = true, origin: String? = nil
        ) {
            self.origin = origin
            self.declaredName = declaredName
            self.isAsked = isAsked
            self.name = name
            given = url
            self.url = AtomicFile.target(of: url)
            self.isWritable = isWritable
        }

        func followed() -> Provider {
            var provider = self
            provider.url = FlagFiles.kept(url, unlessMoved: AtomicFile.target(of: given))
            return provider
        }

        var shortDescription: String {
            origin.map { "\($0)'s flags in the file \(url.lastPathComponent)" }
                ?? "the file \(url.lastPathComponent)"
        }

        /// The path by which the history knows the file.
        var path: String { url.path(percentEncoded: false) }
    }

    /// The default name of the main values file's provider.
    public static let localProviderName = "Local"

    /// The values files in order of precedence, the main one first, with other environments'.
    public private(set) var providers: [Provider]
    /// The property lists of `UserDefaults` with an app's flags.
    public var defaults: [DefaultsFile] = []
    /// The manifest; a link counts as itself, so that its removal is noticed.
    public private(set) var manifest: URL
    private(set) var manifestTarget: URL
    /// True if the manifest was named, and so must exist.
    public let requiresManifest: Bool
    /// The history database.
    public private(set) var history: URL
    /// The named tokens, at the path as given: its links are followed at each use.
    public private(set) var tokens: URL
    /// The saved searches: `flags.searches.json`.
    public let searches: URL
    /// The webhooks with their signing secrets: `flags.webhooks.json`.
    public let webhooks: URL
    /// The limit in bytes.
    package static let maximumKeptSize = 2 * 1024 * 1024
    /// The delivery state of the webhooks: `flags.webhooks-state.json`.
    public let webhooksState: URL
    /// The size limit of values files and the manifest, in bytes.
    public let maximumFileSize: Int
    /// The given paths; `nil` for beside the values.
    private let given: Given
    /// The last existing place of the main values file, which names the others.
    private var home: URL
    /// The manifest and the history as given, or beside ``home``.
    private var manifestPath, historyPath: URL

    /// Names the files.
    ///
    /// - Parameters:
    ///   - values: The main values file, such as `flags.xml`.
    ///   - name: The name of its provider in the app's code and in the history.
    ///   - environment: The environment of the main file, such as `Production`, which names its provider everywhere
    ///     else; by default `name`.
    ///   - manifest: The definitions; by default `flags.manifest.xml` beside `values`.
    ///   - history: The history; by default `flags.history.sqlite` beside `values`.
    ///   - tokens: The named tokens; by default `flags.tokens.json` beside `values`.
    ///   - others: More values files, with lower precedence.
    ///   - maximumFileSize: The size limit of values files and the manifest, in bytes.
    public init(
        values: URL, named name: String = localProviderName, environment: String? = nil, manifest: URL? = nil,
        history: URL? = nil, tokens: URL? = nil, others: [Provider] = [],
        maximumFileSize: Int = PropertyListDocument.maximumSize
    ) {
        let main = Provider(name: environment ?? name, declaredName: name, url: values, isWritable: true)
        home = main.url
        func beside(_ ending: String) -> URL { Self.beside(main.url, ending) }
        self.providers = [main] + others
        given = Given(manifest: manifest, history: history, tokens: tokens)
        manifestPath = given.manifestPath(beside: home)
        historyPath = given.historyPath(beside: home)
        self.manifest = Self.inRealFolder(manifestPath)
        self.manifestTarget = Self.target(of: self.manifest)
        self.requiresManifest = manifest != nil
        self.maximumFileSize = min(maximumFileSize, PropertyListDocument.largestMaximumSize)
        self.history = Self.target(of: historyPath)
        self.tokens = tokens?.absoluteURL ?? beside("tokens.json")
        self.searches = Self.target(of: beside("searches.json"))
        self.webhooks = Self.target(of: beside("webhooks.json"))
        self.webhooksState = Self.target(of: beside("webhooks-state.json"))
    }

    var replaceable: [URL] {
        let hasManifest = access(manifestTarget.path(percentEncoded: false), F_OK) == 0
        return hasManifest ? written : providers.filter(\.isWritable).map(\.url)
    }

    var written: [URL] {
        let target = manifestTarget
        let folder = target.deletingLastPathComponent().path(percentEncoded: false)
        return providers.filter(\.isWritable).map(\.url) + (access(folder, W_OK) == 0 ? [target] : [])
    }

    /// The name of the main values file's provider: its environment's, if that is named.
    public var localName: String { providers[0].name }
    /// The name of the main file's environment; `nil` if it has none.
    package var environment: String? { localName == providers[0].declaredName ? nil : localName }

    /// The main provider's name in the app's code; `nil` if that is shown.
    package var declaredName: String? { environment == nil ? nil : providers[0].declaredName }

    /// Translates the name that the main file has without its environment.
    package func providerName(_ name: String) -> String {
        name == providers[0].declaredName && !providers.contains { $0.name == name } ? localName : name
    }

    var providerNames: ProviderNames { ProviderNames(keeping: providers[0].declaredName, as: localName) }
    /// The main values file.
    public var values: URL { providers[0].url }

    private struct Given: Hashable {
        let manifest, history, tokens: URL?

        func manifestPath(beside values: URL) -> URL { manifest ?? FlagFiles.beside(values, "manifest.xml") }
        func historyPath(beside values: URL) -> URL { history ?? FlagFiles.beside(values, "history.sqlite") }
    }

    private static func beside(_ values: URL, _ ending: String) -> URL {
        values.deletingLastPathComponent()
            .appending(path: "\(values.deletingPathExtension().lastPathComponent).\(ending)")
    }

    private static func inRealFolder(_ url: URL) -> URL {
        AtomicFile.target(of: url.deletingLastPathComponent()).appending(path: url.lastPathComponent)
    }

    static func target(of url: URL) -> URL {
        let target = AtomicFile.target(of: url)
        return target == url ? inRealFolder(url) : target
    }
}

extension FlagFiles {
    /// The files to lock, sorted alike in all processes, so that one of two simultaneous starts gets all.
    var exclusive: [URL] {
        (providers.filter(\.isWritable).map(\.url) + [manifestTarget, history]).sorted {
            $0.path(percentEncoded: false).utf8.lexicographicallyPrecedes($1.path(percentEncoded: false).utf8)
        }
    }
    var keptBesides: [URL] { [Self.target(of: tokens), searches, webhooks, webhooksState] }
    /// The files to watch, including the history, which must not be removed.
    var watched: [URL] {
        providers.map(\.given) + defaults.map(\.url) + [given.manifest ?? manifest, given.history ?? history]
    }
}

extension FlagFiles {
    /// Resolves the given paths again, except those of the history and files beside it (``historyElsewhere``).
    func followed() -> FlagFiles {
        var files = self
        files.providers = providers.map { $0.followed() }
        // A dangling link may be about to be replaced.
        if files.values != home, AtomicFile.look(at: files.values) != nil {
            files.home = files.values
            files.manifestPath = given.manifestPath(beside: files.home)
            files.historyPath = given.historyPath(beside: files.home)
        }
        let isWherePathSays =
            Self.isSamePath(files.manifestPath, manifest) && Self.isSamePath(manifest, manifestTarget)
        if isWherePathSays, AtomicFile.isFreeOfLinks(manifest) { return files }
        files.manifest = Self.kept(manifest, unlessMoved: Self.inRealFolder(files.manifestPath))
        files.manifestTarget = Self.kept(manifestTarget, unlessMoved: Self.target(of: files.manifest))
        return files
    }

    /// Keeps places that are newly empty, since a link may be about to be replaced.
    func keepingMissing(from others: FlagFiles) -> FlagFiles {
        var files = self
        for (place, other) in others.providers.enumerated()
        where other.url != providers[place].url && AtomicFile.look(at: providers[place].url) == nil {
            files.providers[place] = other
        }
        return files
    }

    var isInPlace: Bool { followed() == self }

    /// The history's new place; `nil` if the path still leads to the opened one.
    var historyElsewhere: URL? {
        if Self.isSamePath(historyPath, history), AtomicFile.isFreeOfLinks(history) { return nil }
        let now = Self.target(of: historyPath)
        return Self.isSamePath(now, history) ? nil : now
    }

    var keepsHistoryBesideValues: Bool { given.history == nil }

    func with(history: URL) -> FlagFiles {
        var files = self
        files.history = history
        return files
    }

    /// Replaces the paths that weren't given.
    func with(_ companions: ServerRegistry.Companions) -> FlagFiles {
        var files = self
        if given.history == nil { files.history = companions.history }
        if given.tokens == nil { files.tokens = companions.tokens }
        if given.manifest == nil {
            files.manifest = companions.manifest
            files.manifestTarget = Self.target(of: companions.manifest)
        }
        return files
    }

    /// The paths that lead to the main values file: as given, and with links resolved.
    var namesOfValues: [URL] { [values, providers[0].given] }

    fileprivate static func kept(_ known: URL, unlessMoved now: URL) -> URL {
        // If a folder takes the file's place, the path ends in a slash.
        isSamePath(known, now) ? known : URL(filePath: now.path, directoryHint: .notDirectory)
    }

    private static func isSamePath(_ one: URL, _ other: URL) -> Bool { one.path.utf8.elementsEqual(other.path.utf8) }
}
