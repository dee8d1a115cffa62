import Foundation
import HTTPTypes
import Hummingbird

/// The fields of a `multipart/form-data` body (RFC 7578) with at most one file, read strictly: what no browser sends is
/// refused.
struct MultipartForm: Hashable, Sendable {
    /// A file that was sent along.
    struct File: Hashable, Sendable {
        /// The name of the field.
        let field: String
        /// The name that the file has where it comes from.
        let name: String
        let content: Data
    }

    /// How many parts there may be.
    static let maximumParts = 16
    /// How many bytes the headers of a part may have.
    static let maximumHeaderSize = 4096

    /// Each field's value by its name.
    let values: [String: String]
    /// The file; `nil` where none was chosen.
    let file: File?

    /// The boundary that a request's `Content-Type` names.
    ///
    /// - Returns: `nil` where it is not that of such a form, or names none that is allowed (RFC 2046, 5.1.1).
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

    /// Reads a body.
    init(_ body: Data, boundary: String) throws(MultipartError) {
        var values: [String: String] = [:]
        var file: File?
        var hasFile = false
        for (head, content) in try Self.parts(of: body, boundary) {
            let header = try PartHeader(head)
            guard values[header.name] == nil else { throw .repeated(header.name) }
            guard let fileName = header.fileName else {
                guard let value = String(validating: content, as: UTF8.self) else {
                    throw .malformed("a field is not UTF-8")
                }
                values[header.name] = value
                continue
            }
            guard !hasFile else { throw .severalFiles }
            hasFile = true
            // What a browser sends where no file was chosen.
            if fileName.isEmpty, content.isEmpty { continue }
            file = File(field: header.name, name: fileName, content: Data(content))
        }
        self.values = values
        self.file = file
    }

    /// The heads and contents of the parts.
    private static func parts(of body: Data, _ boundary: String) throws(MultipartError) -> [(Data, Data)] {
        let opening = Data("--\(boundary)".utf8)
        let separator = Data("\r\n--\(boundary)".utf8)
        guard body.starts(with: opening) else { throw .malformed("it does not begin with its boundary") }
        var parts: [(Data, Data)] = []
        var start = body.startIndex + opening.count
        while true {
            let mark = body[start...].prefix(2)
            if mark.elementsEqual("--".utf8) {
                let rest = body[(start + 2)...]
                guard rest.isEmpty || rest.elementsEqual("\r\n".utf8) else {
                    throw .malformed("something follows its end")
                }
                return parts
            }
            guard mark.elementsEqual("\r\n".utf8) else { throw .malformed("a boundary does not end its line") }
            guard parts.count < maximumParts else { throw .tooManyParts }
            start += 2
            let limit = body[start...].prefix(maximumHeaderSize + 4)
            guard let end = limit.range(of: Data("\r\n\r\n".utf8)) else {
                throw .malformed("a part has no end of its head")
            }
            guard let next = body.range(of: separator, in: (end.upperBound - 2)..<body.endIndex) else {
                throw .malformed("it ends within a part")
            }
            // An empty content shares no line end with its head.
            guard next.lowerBound >= end.upperBound else { throw .malformed("a part has no content") }
            parts.append((body[start..<end.lowerBound], body[end.upperBound..<next.lowerBound]))
            start = next.upperBound
        }
    }

    /// What the head of a part says.
    private struct PartHeader {
        let name: String
        /// `nil` where the part is no file.
        let fileName: String?

        init(_ head: Data) throws(MultipartError) {
            guard let text = String(validating: head, as: UTF8.self) else { throw .malformed("a head is not UTF-8") }
            var fields: [String: Substring] = [:]
            for line in Self.lines(of: text) {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, let name = HeaderParameters(parts[0]),
                    name.value.utf8.count == parts[0].utf8.count, !line.unicodeScalars.contains(where: Self.isLineEnd),
                    fields.updateValue(parts[1], forKey: name.value) == nil
                else { throw .malformed("a line of a head is no header, or there twice") }
            }
            let encoding = fields["content-transfer-encoding"].map { Self.trimmed($0).lowercased() } ?? "binary"
            guard ["7bit", "8bit", "binary"].contains(encoding) else {
                throw .malformed("a part is encoded as \(encoding)")
            }
            guard let disposition = fields["content-disposition"].flatMap({ HeaderParameters(Self.trimmed($0)) }),
                disposition.value == "form-data", let name = disposition.parameters["name"],
                Set(disposition.parameters.keys).isSubset(of: ["name", "filename"])
            else { throw .malformed("a part has no name") }
            self.name = Self.unescaped(name)
            fileName = disposition.parameters["filename"].map(Self.unescaped)
        }

        /// The lines by CR LF alone.
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

        /// What browsers write for a quotation mark and the characters of line ends.
        private static func unescaped(_ name: String) -> String {
            name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
        }
    }
}

/// Why a `multipart/form-data` body can't be read.
enum MultipartError: Error, Hashable, CustomStringConvertible {
    case malformed(String)
    case repeated(String)
    case severalFiles
    case tooManyParts

    var description: String {
        switch self {
        case .malformed(let fault): "The form is not multipart/form-data as a browser sends it: \(fault)."
        case .repeated(let name): "The field \(name) is there twice; each may be sent once."
        case .severalFiles: "There are several files; send one at a time."
        case .tooManyParts: "There are more than \(MultipartForm.maximumParts) fields; no form here has as many."
        }
    }
}

extension MultipartForm {
    /// Reads the form that a request sends, where it is one of this kind.
    ///
    /// - Parameters:
    ///   - request: The request; its body is read.
    ///   - tooLarge: What to throw where it is larger.
    /// - Returns: `nil` where the request says to send something else; then its body is still to be read.
    /// - Throws: ``MultipartError`` that says what no browser would have sent, ``RequestError`` (415) where it is encoded
    ///   besides, or `tooLarge`.
    static func sent(
        with request: Request, file field: String, upTo maximumBytes: Int, else tooLarge: RequestError
    ) async throws -> MultipartForm? {
        guard isSent(with: request), let type = request.headers[.contentType] else { return nil }
        guard request.headers[.contentEncoding] == nil else { throw RequestError.notAForm }
        guard let boundary = boundary(in: type) else {
            throw MultipartError.malformed("its Content-Type names no boundary")
        }
        let form = try MultipartForm(
            try await body(of: request, upTo: maximumBytes, else: tooLarge), boundary: boundary)
        guard form.file == nil || form.file?.field == field else {
            throw MultipartError.malformed("a file is in the field of a text")
        }
        return form
    }

    /// Whether a request says to send a form of this kind.
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
    /// The fields of a form that was sent with a file.
    init(_ form: MultipartForm) {
        values = form.values
    }
}
