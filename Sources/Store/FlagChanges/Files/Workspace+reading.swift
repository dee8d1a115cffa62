import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

extension Workspace {
    /// Reads the files that changed since `previous`.
    ///
    /// `seen` is a later reading that was not adopted; it saves parsing again.
    init(_ files: FlagFiles, previous: Workspace? = nil, seen: Workspace? = nil) {
        manifest = Manifest.read(files, previous: previous?.manifest, seen: seen?.manifest)
        if case .success(let sound) = manifest.content {
            lastSoundManifest = sound
        } else {
            lastSoundManifest = previous?.lastSoundManifest
        }
        if let previous {
            let isSame = previous.manifest.reading?.hash == manifest.reading?.hash
            formerInternals =
                isSame ? previous.formerInternals : previous.formerInternals.union(previous.internals)
        }
        values = files.providers.enumerated().map { index, provider in
            Values.read(
                provider, upTo: files.maximumFileSize, previous: previous?.values[index], seen: seen?.values[index])
        }
        let definitions = definitions
        for (index, before) in (previous?.values ?? []).enumerated() { values[index].remember(before, definitions) }
    }
}

extension Workspace.Values {
    static func read(
        _ provider: FlagFiles.Provider, upTo maximumSize: Int, previous: Workspace.Values?,
        seen: Workspace.Values? = nil
    ) -> Workspace.Values {
        // A change would replace this dangling link.
        guard AtomicFile.look(at: provider.url, followingLink: false)?.kind != .link else {
            let text = "it is a symbolic link to a missing file. Fix the link, or replace it with a file."
            return Self(provider: provider, reading: nil, content: .failure(FileProblem(text, in: provider.url)))
        }
        let reading: FileReading
        do throws(FileAccessError) {
            if let previous, previous.provider == provider,
                try previous.reading?.isCurrent(at: provider.url) == true
            {
                return previous
            }
            let known = [previous?.reading, seen?.reading].compactMap(\.self)
            guard let found = try FileReading.read(provider.url, maximumSize: maximumSize, known: known) else {
                return Self(provider: provider, reading: nil, content: .failure(.missing(provider.url)))
            }
            reading = found
        } catch {
            return Self(provider: provider, reading: nil, content: .failure(FileProblem(error, in: provider.url)))
        }
        let known = [previous, seen].compactMap(\.self).first { $0.reading?.hash == reading.hash }
        return Self(
            provider: provider, reading: reading,
            content: known?.content ?? parse(reading.data, provider.url, upTo: maximumSize))
    }

    private static func parse(
        _ data: Data, _ url: URL, upTo maximumSize: Int
    ) -> Result<PropertyListDocument, FileProblem> {
        do {
            let document = try PropertyListDocument(source: data, maximumSize: maximumSize)
            guard document.holdsDictionary else {
                let place = document.location(of: []).map { "\($0): " } ?? ""
                let fault = "\(place)the root is \(document.root.kind), expected a dictionary of flags."
                return .failure(FileProblem(fault, in: url))
            }
            return .success(document)
        } catch {
            return .failure(FileProblem(error, in: url))
        }
    }
}

extension Workspace.Manifest {
    /// Reports a missing manifest, without which internal flags would show.
    private static func missing(
        _ files: FlagFiles, _ previous: Workspace.Manifest?
    ) -> Result<FlagManifest?, FileProblem> {
        if !files.requiresManifest {
            guard let previous else { return .success(nil) }
            if case .success(nil) = previous.content { return .success(nil) }
        }
        return .failure(
            FileProblem("Can't find the manifest \(files.manifest.path(percentEncoded: false)). Put it back."))
    }

    static func read(
        _ files: FlagFiles, previous: Workspace.Manifest?, seen: Workspace.Manifest? = nil
    ) -> Workspace.Manifest {
        let url = files.manifest
        let reading: FileReading
        do throws(FileAccessError) {
            if let previous, previous.url == url, try previous.reading?.isCurrent(at: url) == true { return previous }
            let known = [previous?.reading, seen?.reading].compactMap(\.self)
            guard let found = try FileReading.read(url, maximumSize: files.maximumFileSize, known: known) else {
                return Self(url: url, reading: nil, content: missing(files, previous))
            }
            reading = found
        } catch {
            return Self(url: url, reading: nil, content: .failure(FileProblem(error, in: url)))
        }
        let known = [previous, seen].compactMap(\.self).first { $0.reading?.hash == reading.hash }
        return Self(
            url: url, reading: reading, content: known?.content ?? parse(reading.data, url, upTo: files.maximumFileSize)
        )
    }

    private static func parse(
        _ data: Data, _ url: URL, upTo maximumSize: Int
    ) -> Result<FlagManifest?, FileProblem> {
        let document: PropertyListDocument
        do {
            document = try PropertyListDocument(source: data, maximumSize: maximumSize)
        } catch {
            return .failure(FileProblem(error, in: url))
        }
        do {
            return .success(try FlagManifest(document: document))
        } catch {
            return .failure(FileProblem(error, in: url))
        }
    }
}
