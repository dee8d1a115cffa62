import Testing

@testable import Flagboard

@Suite("Where to go after a sign-in")
struct LocalPathTests {
    @Test(
        "An address within the dashboard is kept",
        arguments: [
            "/", "/flags/ui/theme?provider=Team", "/history?q=a%20b&key=x", "/flags?key=%2E%2E", "/a//b",
            "/%2F%2Fevil.example",
        ])
    func keeps(path: String) {
        #expect(LocalPath.checked(path) == path)
    }

    @Test(
        "Whatever may lead elsewhere becomes the list of flags",
        arguments: [
            nil, "", "flags", "//evil.example", "///evil.example", "/\\evil.example", "/\t/evil.example",
            "/\n/evil.example", "\\/evil.example", "http://evil.example", "https:evil.example", "javascript:alert(1)",
            " /flags", "/flags\r\nSet-Cookie: a=b", "/flags\u{0}", "/é", "/a\\..\\b", "/sign-in", "/sign-in?token=x",
            "/sign-out", "/" + String(repeating: "a", count: 2048),
        ] as [String?])
    func refuses(path: String?) {
        #expect(LocalPath.checked(path) == "/")
    }
}
