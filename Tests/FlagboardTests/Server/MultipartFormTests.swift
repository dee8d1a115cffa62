import Foundation
import Testing

@testable import Flagboard

@Suite("Forms with a file")
struct MultipartFormTests {
    private func read(_ body: String, boundary: String = "b") throws -> MultipartForm {
        try MultipartForm(Data(body.utf8), boundary: boundary)
    }

    private static func part(_ disposition: String, _ content: String, _ more: String = "") -> String {
        "--b\r\nContent-Disposition: form-data; \(disposition)\r\n\(more)\r\n\(content)\r\n"
    }

    @Test("Fields and a file are read as they were sent, byte for byte")
    func reads() throws {
        let body =
            Self.part("name=\"mode\"", "merge") + Self.part("name=text", "") + Self.part("name=\"a%22b\"", "ü\r\n--c")
            + Self.part("filename=\"C:\\x; y.xml\"; name=\"file\"", "\r\n<a>\r\n", "Content-Type: text/xml\r\n")
            + "--b--\r\n"
        let form = try read(body)
        #expect(form.values == ["mode": "merge", "text": "", "a\"b": "ü\r\n--c"])
        #expect(form.file == MultipartForm.File(field: "file", name: "C:\\x; y.xml", content: Data("\r\n<a>\r\n".utf8)))
    }

    @Test("A file that was not chosen is none, and one that is empty but named is")
    func unchosen() throws {
        #expect(try read(Self.part("name=f; filename=\"\"", "") + "--b--").file == nil)
        #expect(try read(Self.part("name=f; filename=\"x\"", "") + "--b--").file?.content.isEmpty == true)
    }

    @Test("Bytes of a file need not be text, and may hold what looks like a boundary")
    func binary() throws {
        let content = Data([0xFF, 0x00, 0x0D, 0x0A, 0x2D, 0x2D, 0x61, 0xFE])
        let head = "--b\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n"
        let body = Data(head.utf8) + content + Data("\r\n--b--".utf8)
        #expect(try MultipartForm(body, boundary: "b").file?.content == content)
        let slice = (Data("xx".utf8) + body).dropFirst(2)
        #expect(try MultipartForm(slice, boundary: "b").file?.content == content)
    }

    @Test(
        "What no browser sends is refused",
        arguments: [
            "", "--b", "--b\r\n", "--b--x", "x--b--", "--c--", "\r\n--b--", "--b\n\n",
            part("name=a", "1") + "--b\r\n", part("name=a", "1") + "--b-", part("name=a", "1") + "--bx--",
            part("name=a", "1") + part("name=a", "2") + "--b--",
            part("name=a; filename=x", "1") + part("name=a", "2") + "--b--",
            part("name=a", "1") + part("name=a; filename=x", "2") + "--b--", part("nome=a", "1") + "--b--",
            part("name=a; name=b", "1") + "--b--", part("name=\"a", "1") + "--b--", part("name=\"a\"x", "1") + "--b--",
            part("name=a; filename*=utf-8''x", "1") + "--b--", part("name=a; x=y", "1") + "--b--",
            part("name=a", "1", "Content-Transfer-Encoding: base64\r\n") + "--b--",
            part("name=a", "1", "Content-Disposition: form-data; name=b\r\n") + "--b--",
            part("name=a", "1", "No header\r\n") + "--b--", part("name=a", "1", " folded: x\r\n") + "--b--",
            part("name=a", "1", "Name : x\r\n") + "--b--", part("name=a", "1", "X: a\nY: b\r\n") + "--b--",
            part("name=a", "1", "X: \(String(repeating: "x", count: MultipartForm.maximumHeaderSize))\r\n") + "--b--",
            "--b\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n--b--", "--b\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--b--",
            part("name=a; filename=x", "1") + part("name=b; filename=y", "2") + "--b--",
            part("name=a; filename=\"\"", "") + part("name=b; filename=y", "2") + "--b--",
            (0...MultipartForm.maximumParts).map { part("name=a\($0)", "") }.joined() + "--b--",
        ])
    func refuses(body: String) {
        #expect(throws: UnreadableFormError.self) { try read(body) }
    }

    @Test("A field that is not UTF-8 is refused")
    func notText() {
        let body =
            Data("--b\r\nContent-Disposition: form-data; name=f\r\n\r\n".utf8) + [0xFF] + Data("\r\n--b--".utf8)
        #expect(throws: UnreadableFormError.self) { try MultipartForm(body, boundary: "b") }
    }

    @Test(
        "The boundary is what the header names, where it may be one",
        arguments: [
            ("multipart/form-data; boundary=----WebKitFormBoundaryAbC", "----WebKitFormBoundaryAbC"),
            ("Multipart/Form-Data;boundary=\"a b\"", "a b"), ("multipart/form-data; charset=x; boundary=a", "a"),
            ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil),
            ("multipart/form-data; boundary=\"a \"", nil), ("multipart/form-data; boundary=\"a\r\n\"", nil),
            ("multipart/mixed; boundary=a", nil), ("multipart/form-data; boundary=a; boundary=b", nil),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", nil),
            ("multipart/form-data; boundary=\"\u{301}\"", nil),
        ])
    func boundary(header: String, expected: String?) {
        #expect(MultipartForm.boundary(in: header) == expected)
    }
}
