import FeatureFlags
import FlagChanges
import Foundation
import Testing

@testable import Flagboard

@Suite("Fields of the editors")
struct EditorFieldTests {
    @Test(
        "A whole number is a text, with a slider between bounds that browsers can hold",
        arguments: [
            ("3", 1, 9, true), ("", 1, 9, true), ("-0", -1, 9, true), ("3", nil, 9, false), ("3", 1, nil, false),
            ("3", 0, 1e18, false), ("3", -1e19, 0, false), ("9007199254740993", 0, 9, false), ("+3", 1, 9, false),
            (" 3", 1, 9, false), ("abc", 1, 9, false),
        ] as [(String, FlagLimit?, FlagLimit?, Bool)])
    func integers(content: String, minimum: FlagLimit?, maximum: FlagLimit?, hasSlider: Bool) {
        let field = LineField.integer(content, FlagConstraints(minimum: minimum, maximum: maximum))
        #expect(field.kind == "text" && field.content == content && field.inputMode == "numeric")
        #expect((field.slider?.step == "1") == hasSlider)
    }

    @Test("Bounds of a whole number are whole")
    func bounds() {
        let slider = LineField.integer("3", FlagConstraints(minimum: 0.5, maximum: 9.5)).slider
        #expect(slider?.minimum == "1" && slider?.maximum == "9")
    }

    @Test(
        "A number is a text, with a slider between finite bounds",
        arguments: [
            ("0.25", 0, 1, true), ("2e-7", 0, 1, true), ("nan", 0, 1, false), ("0.25", nil, 1, false),
            ("0.25", nil, nil, false), ("inf", nil, nil, false), ("", 0, 1, true), (".5", 0, 1, false),
            ("1,5", 0, 9, false),
        ] as [(String, FlagLimit?, FlagLimit?, Bool)])
    func doubles(content: String, minimum: FlagLimit?, maximum: FlagLimit?, hasSlider: Bool) {
        let field = LineField.double(content, FlagConstraints(minimum: minimum, maximum: maximum))
        #expect(field.kind == "text" && field.content == content && field.inputMode == "decimal")
        #expect((field.slider != nil) == hasSlider)
    }

    @Test(
        "A URL without a scheme is none to a browser",
        arguments: [("https://a.example/", "url"), ("", "url"), ("/path", "text"), ("a b", "text")])
    func urls(content: String, kind: String) {
        #expect(LineField.url(content, pattern: nil).kind == kind)
    }

    @Test(
        "A pattern is given to browsers where it means the same to them and matches no line break",
        arguments: [
            ("#[0-9A-Fa-f]{6}", "#[0-9A-Fa-f]{6}"), ("https://.+", "https://.+"), (".{0,80}", ".{0,80}"),
            ("\\d+", "\\p{Nd}+"), ("[\\w.-]+@x", "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d\\.\\-]+@x"),
            ("(?:a|b)*", "(?:a|b)*"), ("a\\.b", "a\\.b"), ("[a-z\\-]", "[a-z\\-]"), ("a-b", "a-b"),
            ("[^a]", nil), ("\\s+", nil), ("\\n", nil), ("(?s).*", nil), ("(?<=a)b", nil), ("a++", nil),
            ("[a&&b]", nil),
            ("[[:alpha:]]", nil), ("\\p{L}", nil), ("\\D", nil), ("[a", nil), ("[]", nil), ("a\\", nil), ("[!!]", nil),
        ] as [(String, String?)])
    func patterns(pattern: String, attribute: String?) {
        #expect(BrowserPattern.attribute(for: pattern) == attribute)
    }

    @Test("A text has one line where a pattern allows no line break and none is there, else several")
    func lines() {
        let bounded = FlagConstraints(pattern: ".*")
        func editor(_ stored: String, _ constraints: FlagConstraints) -> FlagEditor {
            FlagEditor(
                entry: Samples.entry("s", .string, stored: .string(stored), constraints: constraints),
                provider: "local", writable: ["local"])
        }
        #expect(editor("a", bounded).line?.pattern == ".*" && editor("a", bounded).area == nil)
        #expect(editor("a\nb", bounded).area?.content == "a\nb" && editor("a\nb", bounded).line == nil)
        #expect(editor("a", FlagConstraints()).area?.content == "a")
    }

    @Test(
        "The empty text, data of no bytes and no value are told apart beside the field",
        arguments: [
            (.string, .string(""), "Currently empty."),
            (.string, .string("a"), nil),
            (.data, .data(Data()), "Currently 0 bytes."),
            (.string, nil, "Not set."), (.array, nil, "Not set."),
        ] as [(FlagType, FlagValue?, String?)])
    func held(type: FlagType, stored: FlagValue?, note: String?) {
        let editor = FlagEditor(entry: Samples.entry("x", type, stored: stored), provider: "local", writable: ["local"])
        #expect(editor.heldNote == note)
        #expect(editor.describedBy.contains("value-held") == (note != nil))
    }

    @Test(
        "A picked time is of the zone that was chosen",
        arguments: [
            ("2026-01-31T12:00", "", "2026-01-31T12:00:00Z"), ("2026-01-31T12:00:05", "UTC", "2026-01-31T12:00:05Z"),
            ("2026-01-31T12:00", "Europe/Berlin", "2026-01-31T11:00:00Z"),
            ("2026-07-31T12:00", "Europe/Berlin", "2026-07-31T10:00:00Z"),
            ("2026-01-31T12:00", "Asia/Kathmandu", "2026-01-31T06:15:00Z"),
            // The clocks show it twice, and the first time counts.
            ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
        ])
    func picked(picked: String, zone: String, text: String) throws {
        let fields = try FormFields("picked=\(PageLink.encode(picked))&zone=\(PageLink.encode(zone))")
        #expect(PickedTime(fields)?.text == text)
    }

    @Test(
        "Of a picked time that never comes, the reason is told",
        arguments: [
            (
                "2026-03-29T02:30", "Europe/Berlin",
                "2026-03-29 02:30 doesn’t exist in Europe/Berlin, because clocks go forward at that time."
            ),
            ("2026-01-31T12:00", "Nowhere/At_All", "Unknown time zone “Nowhere/At_All”."),
            ("soon", "UTC", "“soon” is not a valid date and time."),
            (
                "0001-01-01T00:00", "Europe/Berlin",
                "0001-01-01 00:00 in Europe/Berlin is outside the years 1 to 9999 in UTC."
            ),
        ])
    func neverComes(picked: String, zone: String, problem: String) throws {
        let fields = try FormFields("picked=\(PageLink.encode(picked))&zone=\(PageLink.encode(zone))")
        let time = try #require(PickedTime(fields))
        #expect(time.text == nil && time.problem == problem)
    }

    @Test("Nothing is picked where the field is empty or missing", arguments: ["picked=&zone=UTC", "zone=UTC", ""])
    func notPicked(fields: String) throws {
        #expect(PickedTime(try FormFields(fields)) == nil)
    }

    @Test("Data is shown by offset, hexadecimal and ASCII, 16 bytes on a line, 256 at most")
    func hex() throws {
        let view = try #require(HexView(.data(Data("Hello, flags! \u{7F}~x".utf8)), of: Samples.key("a/b")))
        #expect(
            view.text == """
                0000  48 65 6c 6c 6f 2c 20 66 6c 61 67 73 21 20 7f 7e  Hello, flags! .~
                0010  78                                               x
                """)
        #expect(view.caption == "17 bytes" && view.href == "/data?key=a%2Fb")
        let long = try #require(HexView(.data(Data(repeating: 0, count: 300)), of: Samples.key("a")))
        #expect(long.text.split(separator: "\n").count == 16 && long.caption == "The first 256 of 300 bytes")
        for none: FlagValue? in [.data(Data()), .string("a"), nil] {
            #expect(HexView(none, of: Samples.key("a")) == nil)
        }
    }

    @Test(
        "Only the address of a web page is a link",
        arguments: [
            ("https://a.example/x?y", "https://a.example/x?y"), ("HTTP://a.example", "HTTP://a.example"),
            ("javascript:alert(1)", nil), ("data:text/html,x", nil), ("/path", nil), ("mailto:a@b", nil),
        ] as [(String, String?)])
    func open(url: String, href: String?) {
        let entry = Samples.entry("u", .url, stored: .string(url))
        let page = FlagPage(frame: Samples.frame(), entry: entry, view: Samples.view(Samples.catalogue([entry])))
        #expect(page.openHref == href)
    }
}
