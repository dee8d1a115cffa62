import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The values files and the manifest, as last read.
struct Workspace: Sendable {
    /// A values file and what it says.
    struct Values: Sendable {
        let provider: FlagFiles.Provider
        /// `nil` where the file is not there.
        let reading: FileReading?
        /// What it says, or why that can't be known.
        let content: Result<PropertyListDocument, FlagValueProblem>
    }

    /// The manifest file and what it says.
    struct Manifest: Sendable {
        /// `nil` where the file is not there.
        let reading: FileReading?
        /// What it says (`nil` where it is not there), or why that can't be known.
        let content: Result<FlagManifest?, FlagValueProblem>
    }

    var values: [Values]
    var manifest: Manifest
    /// The last manifest that could be read. It keeps internal flags hidden and locked ones locked while the file is broken.
    var lastSoundManifest: FlagManifest?

    /// The definitions in force.
    var definitions: FlagManifest? {
        if case .success(let manifest) = manifest.content { manifest } else { lastSoundManifest }
    }

    /// The flags that must not appear anywhere.
    func hiddenKeys(showsInternal: Bool) -> Set<FlagKeyPath> {
        guard !showsInternal else { return [] }
        return Set((definitions?.definitions ?? []).filter(\.metadata.isInternal).map(\.key))
    }

    /// What stands in the way of changes now, a sentence for each file that can't be read.
    var problems: [String] {
        var problems: [String] = []
        for file in values {
            if case .failure(let problem) = file.content {
                problems.append("\(file.provider.url.lastPathComponent): \(problem.description)")
            }
        }
        if case .failure(let problem) = manifest.content { problems.append(problem.description) }
        return problems
    }

    /// The providers to resolve flags against.
    func snapshots(isReadOnly: Bool) -> [ValuesSnapshot] {
        values.map { file in
            ValuesSnapshot(
                name: file.provider.name, shortDescription: "the file \(file.provider.url.lastPathComponent)",
                isWritable: file.provider.isWritable && !isReadOnly, content: file.content)
        }
    }
}

extension Workspace.Values {
    /// Reads a provider's file, unless what was read before still stands.
    init(_ provider: FlagFiles.Provider, previous: Workspace.Values?) {
        self.provider = provider
        do {
            if let previous, let reading = previous.reading, try AtomicFile.stillMatches(reading.fingerprint, provider.url) {
                self = previous
                return
            }
            reading = try FileReading.read(provider.url)
        } catch {
            reading = nil
            content = .failure(FlagValueProblem(error.description))
            return
        }
        guard let reading else {
            content = .failure(FlagValueProblem("the file is not there; put it back, or restart without it"))
            return
        }
        if let previous, previous.reading?.hash == reading.hash {
            content = previous.content
            return
        }
        content = Self.parse(reading.data)
    }

    private static func parse(_ data: Data) -> Result<PropertyListDocument, FlagValueProblem> {
        do {
            let document = try PropertyListDocument(source: data)
            guard case .dictionary = document.root else {
                return .failure(FlagValueProblem("the root is \(document.root.kind), wanted a dictionary of flags"))
            }
            return .success(document)
        } catch {
            return .failure(FlagValueProblem(error.description))
        }
    }
}

extension Workspace.Manifest {
    /// Reads the manifest, unless what was read before still stands.
    init(_ url: URL, previous: Workspace.Manifest?) {
        do {
            if let previous, let reading = previous.reading, try AtomicFile.stillMatches(reading.fingerprint, url) {
                self = previous
                return
            }
            reading = try FileReading.read(url)
        } catch {
            reading = nil
            content = .failure(FlagValueProblem(error.description))
            return
        }
        guard let reading else {
            content = .success(nil)
            return
        }
        do {
            content = .success(try FlagManifest(source: reading.data))
        } catch {
            content = .failure(FlagValueProblem("\(url.lastPathComponent): \(error.description)"))
        }
    }
}
