import FeatureFlags
import Foundation
import Testing

@Suite("Schemas of values and of their parts")
struct FlagSchemaTests {
    private let key = FlagKeyPath(components: ["flag"])

    private func definition(_ type: FlagType, _ constraints: FlagConstraints) -> FlagDefinition {
        FlagDefinition(key: key, type: type, constraints: constraints)
    }

    private let byte = FlagSchema(type: .integer, constraints: FlagConstraints(format: .uint8))

    @Test(
        "A format limits numbers to those of its type",
        arguments: [
            (FlagFormat.int8, "-128", "127", "-129", "128"), (.uint16, "0", "65535", "-1", "65536"),
            (.int64, "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"),
            (.uint64, "0", "18446744073709551615", "-1", "18446744073709551616"),
        ])
    func formats(format: FlagFormat, least: String, greatest: String, below: String, above: String) throws {
        let flag = definition(.integer, FlagConstraints(format: format))
        for text in [least, greatest] { _ = try flag.parse(text) }
        for text in [below, above] { #expect(throws: FlagValueError.self) { try flag.parse(text) } }
        #expect(flag.expectation == "a whole number between \(least) and \(greatest)")
    }

    @Test("A limit of a person's own counts beside the format, whichever is narrower")
    func limitsAndFormat() {
        let narrow = definition(.integer, FlagConstraints(minimum: 10, maximum: 1000, format: .uint8))
        #expect(narrow.expectation == "a whole number between 10 and 255")
        expectProblem("9 is invalid: must be 10 or more") { try narrow.check(9) }
        expectProblem("256 is invalid: must be 255 or less") { try narrow.check(256) }
    }

    @Test("Single precision takes its own numbers, the infinities and nan")
    func singlePrecision() throws {
        let flag = definition(.double, FlagConstraints(format: .float))
        for value: FlagValue in [0.1, .double(.infinity), .double(.nan), .double(-3e38)] { try flag.check(value) }
        expectProblem(
            "1e+300 is too large: a single-precision number can be at most 3.4028234663852886e+38"
        ) { try flag.check(.double(1e300)) }
    }

    @Test("A number of a document that single precision can't tell from 0 is refused, as a decoder does")
    func tooSmall() throws {
        let single = FlagSchema(type: .double, constraints: FlagConstraints(format: .float))
        let flag = definition(.json, FlagConstraints(properties: ["ratio": single]))
        for text in [#"{"ratio": 1e-30}"#, #"{"ratio": 0.0}"#] { _ = try flag.parse(text) }
        expectProblem("at /ratio, 1e-46 is too small for a single-precision number; write 0") {
            _ = try flag.parse(#"{"ratio": 1e-46}"#)
        }
        let objects = definition(.dictionary, FlagConstraints(items: flag.schema))
        #expect(throws: FlagValueError.self) { try objects.parse(#"{"a": {"ratio": 1e-50}}"#) }
        try definition(.double, single.constraints).check(.double(1e-46))
    }

    @Test("A wrong part is named with its place, and with what is wanted there")
    func places() {
        let bytes = definition(.array, FlagConstraints(items: byte))
        #expect(bytes.expectation == "an array, each element a whole number between 0 and 255")
        expectProblem("at /1, 300 is invalid: must be 255 or less") { try bytes.check([1, 300]) }
        expectProblem("at /0, found boolean true, expected a whole number between 0 and 255") {
            try bytes.check([true])
        }
        let deep = definition(
            .dictionary,
            FlagConstraints(items: FlagSchema(type: .array, constraints: FlagConstraints(items: byte))))
        expectProblem("at /a~1b/1, -1 is invalid: must be 0 or more") { try deep.check(["a/b": [0, -1]]) }
    }

    @Test("Elements that JSON has no kind for are read as what the definition says, and others keep their kind")
    func kindsOfElements() throws {
        let blobs = definition(.array, FlagConstraints(items: FlagSchema(type: .data)))
        #expect(try blobs.parse(#"["AQ=="]"#) == .array([.data(Data([1]))]))
        #expect(try blobs.parse(json: .array([.scalar("AQ==")])) == .array([.data(Data([1]))]))
        expectProblem("at /0, found string \"%\", expected data in base64") { _ = try blobs.parse(#"["%"]"#) }
        let numbers = definition(.dictionary, FlagConstraints(items: FlagSchema(type: .double)))
        #expect(try numbers.parse(#"{"a": "nan", "b": 1}"#) == .dictionary(["a": .double(.nan), "b": 1]))
    }

    @Test("JSON is checked as a decoder reads it: no text is a number, and a further member does no harm")
    func members() throws {
        let flag = definition(
            .json,
            FlagConstraints(properties: [
                "columns": byte, "title": FlagSchema(type: .string, isOptional: true),
            ]))
        #expect(flag.expectation == "a JSON object with columns and optional title")
        for text in [#"{"columns": 2}"#, #"{"columns": 2.0, "title": null, "more": 1}"#] {
            try flag.check(.data(Data(text.utf8)))
        }
        expectProblem("the member \"columns\" is missing; expected a whole number between 0 and 255") {
            _ = try flag.parse("{}")
        }
        expectProblem("at /columns, found string \"2\", expected a whole number between 0 and 255") {
            _ = try flag.parse(#"{"columns": "2"}"#)
        }
        expectProblem("found an array of 1 element, expected a JSON object with columns and optional title") {
            _ = try flag.parse("[1]")
        }
    }

    private func expectProblem(
        _ problem: String, _ body: () throws -> Void, at place: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: FlagValueError.self, sourceLocation: place) { try body() }
        #expect(error?.description == problem, sourceLocation: place)
    }
}
