import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

/// A document of `<plist>` around an element, on one line.
func document(_ element: String) throws -> PropertyListDocument {
    try document(text: "<plist version=\"1.0\">\(element)</plist>")
}

func document(text: String) throws -> PropertyListDocument {
    try PropertyListDocument(source: Data(text.utf8))
}

func text(_ document: PropertyListDocument) -> String {
    String(decoding: document.source, as: UTF8.self)
}

func key(_ text: String) throws -> FlagKeyPath {
    try #require(FlagKeyPath(longText: text))
}

/// A manifest of the entries of its flags' array, which begins on line 4, and of more entries of the root.
func manifestSource(flags: String, more: String = "") -> Data {
    Data(
        """
        <plist version="1.0">
        <dict>
        <key>version</key><integer>1</integer><key>flags</key><array>
        \(flags)
        </array>\(more)
        </dict>
        </plist>
        """.utf8)
}

/// Why bytes are refused.
func failure(_ source: Data) throws -> PropertyListError {
    try #require(throws: PropertyListError.self) { _ = try PropertyListDocument(source: source) }
}

/// A folder of its own for a test, removed with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("flagboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
