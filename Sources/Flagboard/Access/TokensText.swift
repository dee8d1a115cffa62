import FlagChanges
import Foundation

/// The file of the named tokens as text: JSON.
enum TokensText {
    private struct Root: Codable {
        var version = 1
        let tokens: [NamedToken]
    }

    static func encode(_ tokens: [NamedToken]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Root(tokens: tokens)) + Data("\n".utf8)
    }

    /// - Throws: ``TokensFileError`` that names the token at fault.
    static func decode(_ data: Data, path: String) throws(TokensFileError) -> [NamedToken] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let root: Root
        do {
            root = try decoder.decode(Root.self, from: data)
        } catch let error as DecodingError {
            throw .malformed(path, error.fault)
        } catch {
            throw .malformed(path, "\(error)")
        }
        guard root.version == 1 else { throw .malformed(path, "its version is \(root.version), and only 1 is known") }
        let names = Dictionary(grouping: root.tokens, by: \.name)
        if let twice = root.tokens.first(where: { names[$0.name]?.count != 1 }) {
            throw .malformed(path, "two tokens have the name \(twice.name)")
        }
        return root.tokens
    }
}
