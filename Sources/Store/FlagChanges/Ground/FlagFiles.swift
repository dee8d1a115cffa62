import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The files that the change service works on.
public struct FlagFiles: Hashable, Sendable {
    /// Names the temporary files of this service, apart from those of an app that writes the same file.
    static let temporaryWriter = "flagboard"

    /// A property-list file that holds values, as one provider among others.
    public struct Provider: Hashable, Sendable {
        /// What tells it from the others.
        public let name: String
        /// Where the file is, every symbolic link followed as it led when that was last looked up.
        public private(set) var url: URL
        /// The path that was given, which a link may lead elsewhere at any time.
        package let given: URL
        /// Whether changes may be made in it.
        public let isWritable: Bool
        /// Whether a read asks it; one that isn't asked is another environment's, and stands beside the others.
        public let isAsked: Bool
        /// Where what the file holds is from, such as the address of another server; `nil` where it is from nowhere else.
        public let origin: String?

        /// Names a file of values; a symbolic link stands for what it leads to.
        public init(name: String, url: URL, isWritable: Bool, isAsked: Bool = true, origin: String? = nil) {
            self.origin = origin
            self.isAsked = isAsked
            self.name = name
            given = url
            self.url = AtomicFile.target(of: url)
            self.isWritable = isWritable
        }

        /// The provider where the given path leads now.
        func followed() -> Provider {
            var provider = self
            provider.url = FlagFiles.kept(url, unlessMoved: AtomicFile.target(of: given))
            return provider
        }

        /// Where the values come from, in words.
        var shortDescription: String {
            origin.map { "the flags of \($0), kept in the file \(url.lastPathComponent)" }
                ?? "the file \(url.lastPathComponent)"
        }

        /// The path of ``url``: what the history knows the file by.
        var path: String { url.path(percentEncoded: false) }
    }

    /// The name of the provider that the main values file is.
    public static let localProviderName = "Local"

    /// The files of values, in order of precedence, some of which may be other environments'; the first is the main one.
    public private(set) var providers: [Provider]
    /// Where the definitions are, or would be: a symbolic link there counts as itself, so that its removal is noticed.
    public private(set) var manifest: URL
    /// The manifest's file itself, where ``manifest`` is a link.
    private(set) var manifestTarget: URL
    /// Whether the manifest was named, and so must be there.
    public let requiresManifest: Bool
    /// Where the history is kept.
    public let history: URL
    /// Where the named tokens of those who may use a dashboard are kept.
    public let tokens: URL
    /// Where the searches are kept that people gave names: `flags.searches.json`.
    public let searches: URL
    /// Where the webhooks are kept, with the secrets that sign what they are told: `flags.webhooks.json`.
    public let webhooks: URL
    /// The most bytes that are read of a file that is kept beside the values: tokens, searches, webhooks and their state.
    package static let maximumKeptSize = 2 * 1024 * 1024
    /// Where it is kept how far each webhook was told: `flags.webhooks-state.json`.
    public let webhooksState: URL
    /// The most bytes that are read of a file of values or of the manifest.
    public let maximumFileSize: Int
    /// The paths that were given of manifest and history; `nil` for beside the values.
    private let given: Given
    /// The main values file where there last was one, beside which other files are looked for.
    private var home: URL

    /// Names the files.
    ///
    /// - Parameters:
    ///   - values: The main values file, such as `flags.xml`.
    ///   - name: The name of the provider that it is.
    ///   - manifest: The definitions; by default beside `values` and named after it: `flags.manifest.xml`.
    ///   - history: The history; by default beside `values` and named after it: `flags.history.sqlite`.
    ///   - tokens: The named tokens; by default beside `values` and named after it: `flags.tokens.json`.
    ///   - others: More files of values, asked after the main one.
    ///   - maximumFileSize: The most bytes that are read of a file of values or of the manifest.
    public init(
        values: URL, named name: String = localProviderName, manifest: URL? = nil, history: URL? = nil,
        tokens: URL? = nil, others: [Provider] = [],
        maximumFileSize: Int = PropertyListDocument.maximumSize
    ) {
        let main = Provider(name: name, url: values, isWritable: true)
        home = main.url
        func beside(_ ending: String) -> URL { Self.beside(main.url, ending) }
        self.providers = [main] + others
        self.manifest = Self.inRealFolder(manifest ?? beside(Self.manifestEnding))
        self.manifestTarget = Self.target(of: self.manifest)
        self.requiresManifest = manifest != nil
        self.maximumFileSize = min(maximumFileSize, PropertyListDocument.largestMaximumSize)
        self.history = Self.target(of: history ?? beside(Self.historyEnding))
        self.tokens = Self.target(of: tokens ?? beside("tokens.json"))
        self.searches = Self.target(of: beside("searches.json"))
        self.webhooks = Self.target(of: beside("webhooks.json"))
        self.webhooksState = Self.target(of: beside("webhooks-state.json"))
        given = Given(manifest: manifest, history: history)
    }

    /// The files that changes replace, as far as their folders let them: those of values, and the manifest where there is
    /// one.
    var replaceable: [URL] {
        let hasManifest = access(manifestTarget.path(percentEncoded: false), F_OK) == 0
        return hasManifest ? written : providers.filter(\.isWritable).map(\.url)
    }

    /// The files that changes replace or make.
    var written: [URL] {
        let target = manifestTarget
        let folder = target.deletingLastPathComponent().path(percentEncoded: false)
        return providers.filter(\.isWritable).map(\.url) + (access(folder, W_OK) == 0 ? [target] : [])
    }

    /// The name of the provider that the main values file is.
    public var localName: String { providers[0].name }
    /// The main values file.
    public var values: URL { providers[0].url }

    /// The paths that were given of other files than values.
    private struct Given: Hashable {
        let manifest, history: URL?
    }

    private static let manifestEnding = "manifest.xml"
    private static let historyEnding = "history.sqlite"

    /// The place of a file that is named after a file of values.
    private static func beside(_ values: URL, _ ending: String) -> URL {
        values.deletingLastPathComponent()
            .appending(path: "\(values.deletingPathExtension().lastPathComponent).\(ending)")
    }

    private static func inRealFolder(_ url: URL) -> URL {
        AtomicFile.target(of: url.deletingLastPathComponent()).appending(path: url.lastPathComponent)
    }

    /// What a name leads to, even where the file is not there yet.
    static func target(of url: URL) -> URL {
        let target = AtomicFile.target(of: url)
        return target == url ? inRealFolder(url) : target
    }
}

extension FlagFiles {
    /// The files that no other process may write as long as this one serves them, in an order that every process has, so
    /// that of two that start at once one gets all that both want.
    var exclusive: [URL] {
        (providers.filter(\.isWritable).map(\.url) + [manifestTarget, history]).sorted {
            $0.path(percentEncoded: false).utf8.lexicographicallyPrecedes($1.path(percentEncoded: false).utf8)
        }
    }
    /// What is kept beside the values, besides the history and what proves it.
    var keptBesides: [URL] { [tokens, searches, webhooks, webhooksState] }
    /// The files whose changes are of interest, by the paths that may lead elsewhere one day: the history's, because it must
    /// not be removed.
    var watched: [URL] { providers.map(\.given) + [given.manifest ?? manifest, given.history ?? history] }
}

/// Where links lead, each time anew.
extension FlagFiles {
    /// The files where the given paths lead now.
    ///
    /// The history, and what else is kept beside it, stays where it was opened (``historyElsewhere``).
    func followed() -> FlagFiles {
        var files = self
        files.providers = providers.map { $0.followed() }
        // A link that leads nowhere now may be about to lead elsewhere.
        if files.values != home, AtomicFile.look(at: files.values) != nil { files.home = files.values }
        let path = given.manifest ?? Self.beside(files.home, Self.manifestEnding)
        files.manifest = Self.kept(manifest, unlessMoved: Self.inRealFolder(path))
        files.manifestTarget = Self.kept(manifestTarget, unlessMoved: Self.target(of: files.manifest))
        return files
    }

    /// These files, but that those of values whose paths lead elsewhere than in others, and to nothing there, stay where they
    /// were: a link may be about to be replaced.
    func keepingMissing(from others: FlagFiles) -> FlagFiles {
        var files = self
        for (place, other) in others.providers.enumerated()
        where other.url != providers[place].url && AtomicFile.look(at: providers[place].url) == nil {
            files.providers[place] = other
        }
        return files
    }

    /// Whether the given paths of values and manifest lead here still.
    var isInPlace: Bool { followed() == self }

    /// Where the history's given path, or the place beside the values, leads now; `nil` where that is the history that was
    /// opened.
    var historyElsewhere: URL? {
        let now = Self.target(of: given.history ?? Self.beside(home, Self.historyEnding))
        return Self.isSamePath(now, history) ? nil : now
    }

    /// Whether the history is beside the values, since no other place was given.
    var keepsHistoryBesideValues: Bool { given.history == nil }

    /// A place as it was named before, unless it is another one now.
    fileprivate static func kept(_ known: URL, unlessMoved now: URL) -> URL {
        // A folder in the file's place has a path that ends in a slash.
        isSamePath(known, now) ? known : URL(filePath: now.path, directoryHint: .notDirectory)
    }

    private static func isSamePath(_ one: URL, _ other: URL) -> Bool { one.path.utf8.elementsEqual(other.path.utf8) }
}
