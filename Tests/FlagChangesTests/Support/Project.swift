import FeatureFlags
import FlagHistory
import Foundation

@testable import FlagChanges

/// A folder with a values file and a manifest, removed when the test is done with it.
final class Project: Sendable {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)

    static let values = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>blocked</key>
        \t<string>a value where a group should be</string>
        \t<key>checkout</key>
        \t<dict>
        \t\t<key>enabled</key>
        \t\t<true/>
        \t\t<key>limit</key>
        \t\t<integer>5</integer>
        \t\t<key>region</key>
        \t\t<string>north</string>
        \t</dict>
        \t<key>hidden</key>
        \t<dict>
        \t\t<key>token</key>
        \t\t<string>secret</string>
        \t</dict>
        \t<key>options</key>
        \t<dict>
        \t\t<key>depth</key>
        \t\t<integer>2</integer>
        \t</dict>
        \t<key>stray</key>
        \t<string>nobody defined me</string>
        </dict>
        </plist>

        """

    static let manifest = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        <key>version</key><integer>1</integer>
        <key>flags</key>
        <array>
        <dict><key>key</key><string>checkout/enabled</string><key>type</key><string>bool</string>
        <key>default</key><false/></dict>
        <dict><key>key</key><string>checkout/limit</string><key>type</key><string>integer</string>
        <key>minimum</key><integer>1</integer><key>maximum</key><integer>10</integer></dict>
        <dict><key>key</key><string>checkout/region</string><key>type</key><string>string</string>
        <key>isLocked</key><true/></dict>
        <dict><key>key</key><string>checkout/fast</string><key>type</key><string>bool</string>
        <key>default</key><true/></dict>
        <dict><key>key</key><string>hidden/token</string><key>type</key><string>string</string>
        <key>isInternal</key><true/></dict>
        <dict><key>key</key><string>options</string><key>type</key><string>json</string></dict>
        <dict><key>key</key><string>blocked/inner</string><key>type</key><string>bool</string></dict>
        </array>
        </dict>
        </plist>

        """

    static let author = ChangeAuthor(name: "ada", role: .admin, origin: .form, requestID: "request-1")

    let folder: URL

    init(values: String? = Project.values, manifest: String? = Project.manifest) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "flagboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let values { try Data(values.utf8).write(to: file) }
        if let manifest { try Data(manifest.utf8).write(to: manifestFile) }
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    var file: URL { folder.appending(path: "flags.xml") }
    var manifestFile: URL { folder.appending(path: "flags.manifest.xml") }

    func text() throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: file, options: .atomic) }

    func writeManifest(_ text: String) throws { try Data(text.utf8).write(to: manifestFile, options: .atomic) }

    /// ``manifest`` without the definition of a flag.
    static func manifest(without key: String) -> String {
        guard let name = manifest.range(of: "<string>\(key)</string>"),
            let start = manifest.range(of: "<dict>", options: .backwards, range: manifest.startIndex..<name.lowerBound),
            let end = manifest.range(of: "</dict>", range: name.upperBound..<manifest.endIndex)
        else { return manifest }
        return manifest.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    }

    /// A values file of some entries.
    static func plist(_ entries: String) -> String {
        "<plist version=\"1.0\">\n<dict>\n\(entries)\n</dict>\n</plist>\n"
    }

    /// A manifest of flags, each as its key, its type, and more fields in XML, and of collections by key.
    static func manifest(_ flags: [(String, String, String)], collections: [String] = []) -> String {
        func dictionary(_ fields: String) -> String { "<dict>\(fields)</dict>\n" }
        let definitions = flags.map { key, type, more in
            dictionary("<key>key</key><string>\(key)</string><key>type</key><string>\(type)</string>\(more)")
        }
        let groups = collections.map { dictionary("<key>key</key><string>\($0)</string>") }
        return plist(
            "<key>version</key><integer>1</integer><key>flags</key><array>\(definitions.joined())</array>"
                + "<key>collections</key><array>\(groups.joined())</array>")
    }

    func service(_ options: ChangeService.Options) throws -> ChangeService {
        try ChangeService(files: FlagFiles(values: file), options: options)
    }

    func service(
        isReadOnly: Bool = false, showsInternal: Bool = false, deniedRowsPerMinute: Int = 60,
        others: [FlagFiles.Provider] = []
    ) throws -> ChangeService {
        var options = ChangeService.Options(
            isReadOnly: isReadOnly, showsInternal: showsInternal, deniedRowsPerMinute: deniedRowsPerMinute,
            clock: { Project.now })
        // What is broken stays so: nobody is about to mend it.
        options.halfWrittenPatience = .zero
        return try ChangeService(files: FlagFiles(values: file, others: others), options: options)
    }

    /// The names of everything in the folder, the database's companions and the lock left out.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { !$0.hasPrefix("flags.history.") && !$0.hasSuffix(".lock") }
            .sorted()
    }
}

extension FlagKeyPath {
    /// A key path from its text, for tests that write it literally.
    static func of(_ components: String...) -> FlagKeyPath { FlagKeyPath(components: components) }
}

extension ChangeService {
    func catalogue() async throws -> FlagCatalogue { try await overview().catalogue }

    func fileProblems() async throws -> [FileProblem] { try await overview().fileProblems }

    /// Every row of the history, oldest first.
    func rows() throws -> [HistoryRecord] {
        try history.page(HistoryQuery(limit: 10_000)).records.reversed()
    }
}
