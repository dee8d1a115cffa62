import Foundation
import HTTPTypes
import Hummingbird

/// A `multipart/form-data` body (RFC 7578) with at most one file.
///
/// The parser is strict: it refuses what no browser sends.
struct MultipartForm: Hashable, Sendable {
    struct File: Hashable, Sendable {
        let field: String
        /// The file's name on the sender's machine.
        let name: String
        let content: Data
    }

    static let maximumParts = 16
    /// In bytes, for each part.
    static let maximumHeaderSize = 4096

    let values: [String: String]
    /// `nil` if none was chosen.
    let file: File?

    /// - Returns: `nil` for another media type, or a boundary that RFC 2046, 5.1.1 does not allow.
    static func boundary(in contentType: String) -> String? {
        guard let header = HeaderParameters(contentType), header.value == "multipart/form-data",
            let boundary = header.parameters["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy(isBoundary), boundary.utf8.last != UInt8(ascii: " ")
        else { return nil }
        return boundary
    }

    private static func isBoundary(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }

    init(_ body: Data, boundary: String) throws(UnreadableFormError) {
        var values: [String: String] = [:]
        var file: File?
        var hasFile = false
        var names: Set<String> = []
        for (head, content) in try Self.parts(of: body, boundary) {
            let header = try PartHeader(head)
            guard names.insert(header.name).inserted || header.fileName != nil && values[header.name] == nil else {
                throw .repeated(header.name)
            }
            guard let fileName = header.fileName else {
                guard let value = String(validating: content, as: UTF8.self) else {
                    throw .notMultipart("a field is not UTF-8")
                }
                values[header.name] = value
                continue
            }
            guard !hasFile else { throw .severalFiles }
            hasFile = true
            // Browsers send this when no file was chosen.
            if fileName.isEmpty, content.isEmpty { continue }
            file = File(field: header.name, name: fileName, content: Data(content))
        }
        self.values = values
        self.file = file
    }

    private static func parts(of body: Data, _ boundary: String) throws(UnreadableFormError) -> [(Data, Data)] {
        let opening = Data("--\(boundary)".utf8)
        let separator = Data("\r\n--\(boundary)".utf8)
        guard body.starts(with: opening) else { throw .notMultipart("it doesn't start with its boundary") }
        var parts: [(Data, Data)] = []
        var start = body.startIndex + opening.count
        while true {
            let mark = body[start...].prefix(2)
            if mark.elementsEqual("--".utf8) {
                let rest = body[(start + 2)...]
                guard rest.isEmpty || rest.elementsEqual("\r\n".utf8) else {
                    throw .notMultipart("there is content after its end")
                }
                return parts
            }
            guard mark.elementsEqual("\r\n".utf8) else {
                throw .notMultipart(
                    "a boundary isn't at the end of its line")
            }
            guard parts.count < maximumParts else { throw .tooMany(maximumParts) }
            start += 2
            let limit = body[start...].prefix(maximumHeaderSize + 4)
            guard let end = limit.range(of: Data("\r\n\r\n".utf8)) else {
                throw .notMultipart("the header of a part is incomplete")
            }
            guard let next = body.range(of: separator, in: (end.upperBound - 2)..<body.endIndex) else {
                throw .notMultipart("it ends inside a part")
            }
            // Even an empty content has its own line end after the head.
            guard next.lowerBound >= end.upperBound else { throw .notMultipart("a part has no content") }
            parts.append((body[start..<end.lowerBound], body[end.upperBound..<next.lowerBound]))
            start = next.upperBound
        }
    }

    private struct PartHeader {
        let name: String
        /// `nil` if the part is no file.
        let fileName: String?

        init(_ head: Data) throws(UnreadableFormError) {
            guard let text = String(validating: head, as: UTF8.self) else {
                throw .notMultipart(
                    "a header is not UTF-8")
            }
            var fields: [String: Substring] = [:]
            for line in Self.lines(of: text) {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, let name = HeaderParameters(parts[0]),
                    name.value.utf8.count == parts[0].utf8.count, !line.unicodeScalars.contains(where: Self.isLineEnd),
                    fields.updateValue(parts[1], forKey: name.value) == nil
                else { throw .notMultipart("a header line is invalid or duplicate") }
            }
            let encoding = fields["content-transfer-encoding"].map { Self.trimmed($0).lowercased() } ?? "binary"
            guard ["7bit", "8bit", "binary"].contains(encoding) else {
                throw .notMultipart("a part has the encoding \(encoding)")
            }
            guard let disposition = fields["content-disposition"].flatMap({ HeaderParameters(Self.trimmed($0)) }),
                disposition.value == "form-data", let name = disposition.parameters["name"],
                Set(disposition.parameters.keys).isSubset(of: ["name", "filename"])
            else { throw .notMultipart("a part has no name") }
            self.name = Self.unescaped(name)
            fileName = disposition.parameters["filename"].map(Self.unescaped)
        }

        /// Splits only at CR LF.
        private static func lines(of text: String) -> [String] {
            text.components(separatedBy: "\r\n")
        }

        private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\r" || scalar == "\n" }

        private static func trimmed(_ text: Substring) -> Substring {
            var text = text
            while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
            while let last = text.last, last == " " || last == "\t" { text.removeLast() }
            return text
        }

        /// Reverses the escapes of browsers for quotation marks and line ends.
        private static func unescaped(_ name: String) -> String {
            name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
        }
    }
}

extension MultipartForm {
    /// Reads a request's multipart form; `nil`, with the body unread, for another media type.
    ///
    /// - Throws: ``UnreadableFormError`` for what no browser sends, ``RequestError`` (415) for an encoded body, or
    ///   `tooLarge`.
    static func sent(
        with request: Request, file field: String, upTo maximumBytes: Int, else tooLarge: RequestError
    ) async throws -> MultipartForm? {
        guard isSent(with: request), let type = request.headers[.contentType] else { return nil }
        guard request.headers[.contentEncoding] == nil else { throw RequestError.notAForm }
        guard let boundary = boundary(in: type) else {
            throw UnreadableFormError.notMultipart("its Content-Type has no boundary")
        }
        let form = try MultipartForm(
            try await body(of: request, upTo: maximumBytes, else: tooLarge), boundary: boundary)
        guard form.file == nil || form.file?.field == field else {
            throw UnreadableFormError.notMultipart("a text field contains a file")
        }
        return form
    }

    static func isSent(with request: Request) -> Bool {
        request.headers[.contentType]?.lowercased().hasPrefix("multipart/") ?? false
    }

    private static func body(
        of request: Request, upTo maximumBytes: Int, else tooLarge: RequestError
    ) async throws -> Data {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes { throw tooLarge }
        do {
            return Data(try await request.body.collect(upTo: maximumBytes).readableBytesView)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw tooLarge
        }
    }
}

extension FormFields {
    init(_ form: MultipartForm) {
        values = form.values
    }
}
