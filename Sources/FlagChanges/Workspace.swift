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
    /// The last manifest that could be read.
    ///
    /// It keeps internal flags hidden and locked ones locked while the file is broken.
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
    static func read(_ provider: FlagFiles.Provider, previous: Workspace.Values?) -> Workspace.Values {
        let reading: FileReading
        do throws(FileAccessError) {
            if let previous, try previous.reading?.isCurrent(at: provider.url) == true { return previous }
            guard let found = try FileReading.read(provider.url) else {
                return Self(
                    provider: provider, reading: nil, content: .failure(FlagValueProblem("there is no such file")))
            }
            reading = found
        } catch {
            return Self(provider: provider, reading: nil, content: .failure(FlagValueProblem(error.description)))
        }
        let isSame = previous?.reading?.hash == reading.hash
        return Self(
            provider: provider, reading: reading,
            content: (isSame ? previous?.content : nil) ?? parse(reading.data))
    }

    private static func parse(_ data: Data) -> Result<PropertyListDocument, FlagValueProblem> {
        do {
            let document = try PropertyListDocument(source: data)
            guard case .dictionary = document.root else {
                let place = document.location(of: []).map { "line \($0.line), column \($0.column): " } ?? ""
                return .failure(
                    FlagValueProblem("\(place)the root is \(document.root.kind), wanted a dictionary of flags"))
            }
            return .success(document)
        } catch {
            return .failure(FlagValueProblem(error.description))
        }
    }
}

extension Workspace.Manifest {
    /// A manifest that was there or was named, and is gone, is a problem: without it, internal flags would show.
    private static func missing(
        _ files: FlagFiles, _ previous: Workspace.Manifest?
    ) -> Result<FlagManifest?, FlagValueProblem> {
        if !files.requiresManifest {
            guard let previous else { return .success(nil) }
            if case .success(nil) = previous.content { return .success(nil) }
        }
        return .failure(
            FlagValueProblem("there is no file \(files.manifest.path(percentEncoded: false)); put the manifest back"))
    }

    /// Reads the manifest, unless what was read before still stands.
    static func read(_ files: FlagFiles, previous: Workspace.Manifest?) -> Workspace.Manifest {
        let url = files.manifest
        let reading: FileReading
        do throws(FileAccessError) {
            if let previous, try previous.reading?.isCurrent(at: url) == true { return previous }
            guard let found = try FileReading.read(url) else {
                return Self(reading: nil, content: missing(files, previous))
            }
            reading = found
        } catch {
            return Self(reading: nil, content: .failure(FlagValueProblem(error.description)))
        }
        do {
            return Self(reading: reading, content: .success(try FlagManifest(source: reading.data)))
        } catch {
            let problem = FlagValueProblem("\(url.lastPathComponent): \(error.description)")
            return Self(reading: reading, content: .failure(problem))
        }
    }
}
