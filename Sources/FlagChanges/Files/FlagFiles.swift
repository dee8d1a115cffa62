import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The files that the change service works on.
public struct FlagFiles: Hashable, Sendable {
    /// A property-list file that holds values, as one provider among others.
    public struct Provider: Hashable, Sendable {
        /// What tells it from the others.
        public let name: String
        /// Where the file is.
        public let url: URL
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
            self.url = AtomicFile.target(of: url)
            self.isWritable = isWritable
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
    public let providers: [Provider]
    /// Where the definitions are, or would be: a symbolic link there counts as itself, so that its removal is noticed.
    public let manifest: URL
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
    /// Where it is kept how far each webhook was told: `flags.webhooks-state.json`.
    public let webhooksState: URL
    /// The most bytes that are read of a file of values or of the manifest.
    public let maximumFileSize: Int

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
        let values = AtomicFile.target(of: values)
        let stem = values.deletingPathExtension().lastPathComponent
        let folder = values.deletingLastPathComponent()
        self.providers = [Provider(name: name, url: values, isWritable: true)] + others
        self.manifest = Self.inRealFolder(manifest ?? folder.appending(path: "\(stem).manifest.xml"))
        self.requiresManifest = manifest != nil
        self.maximumFileSize = min(maximumFileSize, PropertyListDocument.largestMaximumSize)
        self.history = Self.target(of: history ?? folder.appending(path: "\(stem).history.sqlite"))
        self.tokens = Self.target(of: tokens ?? folder.appending(path: "\(stem).tokens.json"))
        self.searches = Self.target(of: folder.appending(path: "\(stem).searches.json"))
        self.webhooks = Self.target(of: folder.appending(path: "\(stem).webhooks.json"))
        self.webhooksState = Self.target(of: folder.appending(path: "\(stem).webhooks-state.json"))
    }

    /// The manifest's file itself, where ``manifest`` is a link.
    var manifestTarget: URL { Self.target(of: manifest) }

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
    /// The files whose changes are of interest: the history's, because it must not be removed.
    var watched: [URL] { providers.map(\.url) + [manifest, history] }
}
