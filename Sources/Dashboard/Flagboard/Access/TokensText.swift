import FlagChanges
import Foundation

/// The file of the named tokens as text: JSON.
enum TokensText {
    private struct Root: KeptDocument {
        var version = 1
        let tokens: [NamedToken]
    }

    static func encode(_ tokens: [NamedToken]) throws -> Data {
        try Root(tokens: tokens).keptText()
    }

    /// - Throws: ``TokensFileError`` that names the token at fault.
    static func decode(_ data: Data, path: String) throws(TokensFileError) -> [NamedToken] {
        let tokens: [NamedToken]
        do throws(KeptDocumentError) {
            tokens = try Root.read(data).tokens
        } catch {
            throw .malformed(path, error.fault)
        }
        let names = Dictionary(grouping: tokens, by: \.name)
        if let twice = tokens.first(where: { names[$0.name]?.count != 1 }) {
            throw .malformed(path, "two tokens have the name \(twice.name)")
        }
        return tokens
    }
}
