import Foundation
import Testing

@testable import Flagboard

@Suite("Where the templates are")
struct DashboardResourcesTests {
    /// A folder with what Flagboard looks for.
    private static func makeResources(_ folder: URL) throws -> URL {
        for path in ["Templates/Parts/layout.mustache", "Public/Parts/addresses.js"] {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        return folder.standardizedFileURL
    }

    /// Runs a test in a folder of its own.
    private static func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "resources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "bin"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func found(_ program: URL?, named: String? = nil, sources: URL) throws -> String {
        try DashboardResources.locate(named: named, program: program, sources: sources).standardizedFileURL.path
    }

    @Test("They are in share/flagboard beside the folder of the program, also where a link leads to that")
    func installed() throws {
        try Self.inFolder { folder in
            let share = try Self.makeResources(folder.appending(path: "share/flagboard"))
            let sources = try Self.makeResources(folder.appending(path: "sources"))
            let program = folder.appending(path: "bin/flagboard")
            try Data().write(to: program)
            #expect(try Self.found(program, sources: sources) == share.path)
            let link = folder.appending(path: "elsewhere")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
            #expect(try Self.found(link, sources: sources) == share.path)
        }
    }

    @Test("No folder further up counts, and where there are none, those of the package do")
    func compiled() throws {
        try Self.inFolder { folder in
            _ = try Self.makeResources(folder)
            let sources = try Self.makeResources(folder.appending(path: "sources"))
            let program = folder.appending(path: "bin/flagboard")
            try Data().write(to: program)
            #expect(try Self.found(program, sources: sources) == sources.path)
            #expect(try Self.found(nil, sources: sources) == sources.path)
            #expect(throws: EmbeddingError.self) {
                try Self.found(program, sources: folder.appending(path: "nowhere"))
            }
        }
    }

    @Test("A folder that is named counts before all others, and must hold them")
    func named() throws {
        try Self.inFolder { folder in
            let sources = try Self.makeResources(folder.appending(path: "sources"))
            let own = try Self.makeResources(folder.appending(path: "own"))
            #expect(try Self.found(nil, named: own.path, sources: sources) == own.path)
            #expect(throws: EmbeddingError.self) {
                try Self.found(nil, named: folder.appending(path: "bin").path, sources: sources)
            }
        }
    }
}
