import FeatureFlags
import Foundation
import Testing

@testable import FlagChanges

/// The flags that readers get who ask more often than files change.
@Suite("The flags of the last look")
struct RecentFlagsTests {
    private let project: Project
    private let files: ServedFiles

    init() throws {
        project = try Project()
        files = try ServedFiles(FlagFiles(values: project.file), ChangeService.Options())
    }

    /// The files as a look finds them that comes long after their last change.
    private func settledWorkspace() async throws -> Workspace {
        var workspace = await files.workspace
        let later = Date(timeIntervalSinceNow: 3600)
        workspace.values = try workspace.values.map { file in
            Workspace.Values(
                provider: file.provider, reading: try FileReading.read(file.provider.url, at: later),
                content: file.content)
        }
        let manifest = workspace.manifest
        workspace.manifest = Workspace.Manifest(
            url: manifest.url, reading: try FileReading.read(manifest.url, at: later), content: manifest.content)
        return workspace
    }

    /// Flags that stand for as long as they may.
    private func kept() async throws -> RecentFlags {
        let recent = files.recent
        recent.keep(try await files.shownFlags(), of: try await settledWorkspace(), since: .now + .seconds(3600))
        return recent
    }

    @Test("They stand while the files are as they were read")
    func stand() async throws {
        let recent = try await kept()
        #expect(recent.flags?.catalogue.entries.isEmpty == false)
        #expect(recent.flags != nil)
    }

    @Test("They end with an edit of any file, also one of the same size that sets the file's time back")
    func edited() async throws {
        for url in [project.file, project.manifestFile] {
            let recent = try await kept()
            let time = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
            try Data(contentsOf: url).write(to: url)
            try FileManager.default.setAttributes([.modificationDate: #require(time)], ofItemAtPath: url.path)
            #expect(recent.flags == nil, "\(url.lastPathComponent)")
        }
    }

    @Test("They end where a file is gone")
    func gone() async throws {
        let recent = try await kept()
        try FileManager.default.removeItem(at: project.file)
        #expect(recent.flags == nil)
    }

    @Test("They end with a round of changes, with a look of another reader, and after a while")
    func ended() async throws {
        let recent = try await kept()
        await files.endRound(ServedFiles.Start(workspace: await files.workspace, unsettled: nil))
        #expect(recent.flags == nil)
        _ = try await kept()
        try await files.refresh()
        #expect(recent.flags == nil)
        let flags = try await files.shownFlags()
        recent.keep(flags, of: try await settledWorkspace(), since: .now - RecentFlags.lifetime)
        #expect(recent.flags == nil)
    }

    @Test("None are kept of a file that was changed so lately that the next change need not show")
    func unsettled() async throws {
        let recent = files.recent
        recent.keep(try await files.shownFlags(), of: await files.workspace, since: .now + .seconds(3600))
        #expect(recent.flags == nil)
    }

    @Test("None are kept where a file can't be read, so that its repair is waited for")
    func unreadable() async throws {
        try project.write("<plist>")
        _ = await files.look(givingUp: [project.file])
        let flags = try await files.shownFlags()
        files.recent.keep(flags, of: try await settledWorkspace(), since: .now + .seconds(3600))
        #expect(files.recent.flags == nil)
    }
}
