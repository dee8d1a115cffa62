import Foundation

/// What a file holds as JSON that is kept beside the values, and that a person may have edited: the version of its layout, and more.
package protocol KeptDocument: Codable {
    /// The version of the layout; 1 is the only one.
    var version: Int { get }
}

extension KeptDocument {
    /// The document as the file holds it.
    ///
    /// - Returns: JSON in UTF-8, indented, its members sorted, times as ISO 8601 has them, and a line end.
    /// - Throws: What JSON can't hold of it.
    package func keptText() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Reads what a file holds.
    ///
    /// - Parameter text: The JSON.
    /// - Returns: The document.
    /// - Throws: ``KeptDocumentError`` where it is none, or of another version.
    package static func read(_ text: Data) throws(KeptDocumentError) -> Self {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let document: Self
        do {
            document = try decoder.decode(Self.self, from: text)
        } catch let error as DecodingError {
            throw KeptDocumentError(fault: error.fault)
        } catch {
            throw KeptDocumentError(fault: "\(error)")
        }
        guard document.version == 1 else {
            throw KeptDocumentError(fault: "its version is \(document.version), and only 1 is known")
        }
        return document
    }
}

/// What is wrong with a document that is kept in a file.
package struct KeptDocumentError: Error {
    /// It as a clause, with where it is.
    package let fault: String
}
