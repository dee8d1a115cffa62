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

        /// Names a file of values; a symbolic link stands for what it leads to.
        public init(name: String, url: URL, isWritable: Bool) {
            self.name = name
            self.url = AtomicFile.target(of: url)
            self.isWritable = isWritable
        }
    }

    /// The name of the provider that the main values file is.
    public static let localProviderName = "Local"

    /// The files of values, in order of precedence; the first is the main one.
    public let providers: [Provider]
    /// Where the definitions are, or would be.
    public let manifest: URL
    /// Whether the manifest was named, and so must be there.
    public let requiresManifest: Bool
    /// Where the history is kept.
    public let history: URL

    /// Names the files.
    ///
    /// - Parameters:
    ///   - values: The main values file, such as `flags.xml`.
    ///   - manifest: The definitions; by default beside `values` and named after it: `flags.manifest.xml`.
    ///   - history: The history; by default beside `values` and named after it: `flags.history.sqlite`.
    ///   - others: More files of values, asked after the main one.
    public init(values: URL, manifest: URL? = nil, history: URL? = nil, others: [Provider] = []) {
        let values = AtomicFile.target(of: values)
        let stem = values.deletingPathExtension().lastPathComponent
        let folder = values.deletingLastPathComponent()
        self.providers = [Provider(name: Self.localProviderName, url: values, isWritable: true)] + others
        self.manifest = manifest ?? folder.appending(path: "\(stem).manifest.xml")
        self.requiresManifest = manifest != nil
        self.history = history ?? folder.appending(path: "\(stem).history.sqlite")
    }

    /// The main values file.
    public var values: URL { providers[0].url }

    /// The file whose lock says that a process writes here.
    var lock: URL { values.deletingLastPathComponent().appending(path: ".\(values.lastPathComponent).lock") }
}
