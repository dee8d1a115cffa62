import FlagChanges
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("The file of the named tokens")
final class TokensFileTests {
    private let folder: URL
    private let now = Date(timeIntervalSince1970: 1_795_269_909.75)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Issue.record(error)
        }
    }

    private var url: URL { folder.appending(path: "flags.tokens.json") }

    private func mode() throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    @Test("What is made is found again, by this process and another, and the file holds no token")
    func roundTrip() async throws {
        let file = TokensFile(url)
        #expect(try file.tokens().isEmpty)
        let end = now.addingTimeInterval(86_400)
        let (secret, made) = try await file.add(name: "Ada Łovelace", role: .editor, expires: end, at: now)
        let second = try await file.add(name: "bot", role: .viewer, expires: nil, at: now)
        #expect(secret.hasPrefix("flagboard_") && secret.utf8.count == 53)
        #expect(secret != second.secret)
        for reader in [file, TokensFile(url)] {
            #expect(try reader.tokens() == [made, second.token])
        }
        #expect(made.digest.matches(secret))
        #expect(try mode() == 0o600)
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(!text.contains(secret) && !text.contains(secret.dropFirst("flagboard_".count)))
        #expect(!made.isExpired(at: end.addingTimeInterval(-1)) && made.isExpired(at: end))
    }

    @Test("A revoked token is gone, and its name may be used again")
    func revokes() async throws {
        let file = TokensFile(url)
        let first = try await file.add(name: "a", role: .admin, expires: nil, at: now)
        await #expect(throws: KeptFileError.self) {
            try await file.add(name: "a", role: .viewer, expires: nil, at: self.now)
        }
        try await TokensFile(url).revoke(name: "a")
        #expect(try file.tokens().isEmpty)
        await #expect(throws: KeptFileError.self) { try await file.revoke(name: "a") }
        let second = try await file.add(name: "a", role: .viewer, expires: nil, at: now)
        #expect(try file.tokens().map(\.role) == [.viewer])
        #expect(first.secret != second.secret)
    }

    @Test(
        "A name that can't be told from another, or seen, is refused",
        arguments: [
            "", " a", "a ", "a\nb", "a\u{0}", "a\u{202E}b", "a\u{200B}", "\u{FEFF}a",
            String(repeating: "x", count: 101),
        ])
    func names(name: String) async throws {
        await #expect(throws: KeptFileError.self) {
            try await TokensFile(self.url).add(name: name, role: .viewer, expires: nil, at: self.now)
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("Two spellings of one name are one name")
    func canonicalNames() async throws {
        let file = TokensFile(url)
        _ = try await file.add(name: "Zo\u{EB}", role: .viewer, expires: nil, at: now)
        await #expect(throws: KeptFileError.self) {
            try await file.add(name: "Zoe\u{308}", role: .viewer, expires: nil, at: self.now)
        }
    }

    @Test(
        "A file that others may read or write is refused, and left as it is", arguments: [0o644, 0o640, 0o620, 0o601])
    func openToOthers(mode: Int) async throws {
        _ = try await TokensFile(url).add(name: "a", role: .admin, expires: nil, at: now)
        let file = TokensFile(url)
        #expect(try file.tokens().count == 1)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        let before = try Data(contentsOf: url)
        #expect(throws: KeptFileError.self) { try file.tokens() }
        await #expect(throws: KeptFileError.self) {
            try await file.add(name: "b", role: .viewer, expires: nil, at: self.now)
        }
        #expect(try Data(contentsOf: url) == before)
        let said = try #require(throws: KeptFileError.self) { try file.tokens() }.description
        #expect(said.contains("chmod 600") && said.contains(url.lastPathComponent))
    }

    private static let digits = String(repeating: "ab", count: 32)
    private static func token(_ fields: String) -> String { "{\"version\":1,\"tokens\":[{\(fields)}]}" }
    private static let created = "\"created\":\"2026-01-01T00:00:00Z\""

    @Test(
        "A file that is none of tokens is refused with what is wrong, and not replaced",
        arguments: [
            ("", "JSON"), ("{}", "is missing"), ("{\"version\":2,\"tokens\":[]}", "version 2 is not supported"),
            (token("\"name\":\"a\",\"role\":\"root\",\(created),\"sha256\":\"\(digits)\""), "unknown role root"),
            (token("\"name\":\"a\",\"role\":\"admin\",\(created),\"sha256\":\"abc\""), "64 hexadecimal digits"),
            (token("\"name\":\"\",\"role\":\"admin\",\(created),\"sha256\":\"\(digits)\""), "Enter the name"),
            (token("\"name\":\"a\",\"role\":\"admin\",\(created)"), "sha256 is missing"),
            (
                "{\"version\":1,\"tokens\":["
                    + [1, 2].map { _ in "{\"name\":\"a\",\"role\":\"admin\",\(created),\"sha256\":\"\(digits)\"}" }
                    .joined(separator: ",") + "]}", "two tokens have the name a"
            ),
        ])
    func malformed(text: String, problem: String) async throws {
        try write(text)
        let file = TokensFile(url)
        let error = try #require(throws: KeptFileError.self) { try file.tokens() }
        #expect(error.description.contains(problem), "\(error)")
        await #expect(throws: KeptFileError.self) {
            try await file.add(name: "b", role: .viewer, expires: nil, at: self.now)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }

    @Test("A change by hand is seen at the next look, however fast it follows")
    func seesChanges() throws {
        let file = TokensFile(url)
        func text(_ role: String) -> String {
            Self.token("\"name\":\"a\",\"role\":\"\(role)\",\(Self.created),\"sha256\":\"\(Self.digits)\"")
        }
        // Where the file system's clock is coarse, several of these fall into one tick; inode and size stay the same.
        try write(text("viewer"))
        for number in 0..<500 {
            let role: ChangeAuthor.Role = number.isMultiple(of: 2) ? .editor : .viewer
            try Data(text(role.rawValue).utf8).write(to: url)
            #expect(try file.tokens().map(\.role) == [role])
        }
    }

    @Test("Many writers at once lose no token")
    func manyWriters() async throws {
        let url = url
        let now = now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    // All the other tests keep the threads busy.
                    let file = TokensFile(url, patience: .seconds(600))
                    _ = try await file.add(name: "t\(number)", role: .viewer, expires: nil, at: now)
                    if number.isMultiple(of: 3) { try await file.revoke(name: "t\(number)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            Set(try TokensFile(url).tokens().map(\.name)) == Set((0..<24).filter { $0 % 3 != 0 }.map { "t\($0)" }))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["flags.tokens.json"])
    }
}
