import FeatureFlags
import Foundation
import Testing

@Suite("Constraints")
struct FlagValidationTests {
    private func problem(_ definition: FlagDefinition, _ value: FlagValue) throws -> String {
        try #require(throws: FlagValueError.self) { try definition.check(value) }.description
    }

    @Test(
        "A number from the minimum to the maximum is allowed",
        arguments: [
            (.integer, .integer(-5)), (.integer, .integer(0)), (.integer, .integer(10)), (.double, .double(-5)),
            (.double, .double(10)),
            (.double, .double(9.999)),
        ] as [(FlagType, FlagValue)])
    func within(type: FlagType, value: FlagValue) throws {
        try flag(type, FlagConstraints(minimum: -5, maximum: 10)).check(value)
    }

    @Test(
        "A number outside is refused with the limit",
        arguments: [
            (.integer, .integer(-6), "-6 is invalid: must be -5 or more"),
            (.integer, .integer(11), "11 is invalid: must be 10.5 or less"),
            (.integer, .integer(Int128(UInt64.max)), "18446744073709551615 is invalid: must be 10.5 or less"),
            (.double, .double(-5.001), "-5.001 is invalid: must be -5 or more"),
            (.double, .double(10.6), "10.6 is invalid: must be 10.5 or less"),
            (.double, .double(.infinity), "inf is invalid: must be 10.5 or less"),
            (.double, .double(-.infinity), "-inf is invalid: must be -5 or more"),
            (.double, .double(.nan), "nan is not a number between -5 and 10.5"),
        ] as [(FlagType, FlagValue, String)])
    func outside(type: FlagType, value: FlagValue, text: String) throws {
        #expect(try problem(flag(type, FlagConstraints(minimum: -5, maximum: 10.5)), value) == text)
    }

    @Test("A number that is none is refused where there is a maximum alone")
    func notANumber() throws {
        #expect(
            try problem(flag(.double, FlagConstraints(maximum: 1)), .double(.nan)).hasPrefix(
                "nan is not a number of 1 or less"))
        try flag(.double).check(.double(.nan))
    }

    @Test("Integers are compared to the last digit, beyond what a real can tell apart")
    func largeIntegers() throws {
        let definition = flag(.integer, FlagConstraints(minimum: -0x1p53, maximum: 0x1p53))
        try definition.check(.integer(1 << 53))
        try definition.check(.integer(-1 << 53))
        #expect(try problem(definition, .integer(1 << 53 + 1)).hasPrefix("9007199254740993 is invalid"))
        #expect(try problem(definition, .integer(-1 << 53 - 1)).hasPrefix("-9007199254740993 is invalid"))
    }

    @Test("A limit that is a whole number is one to the last digit, beyond what a real can tell apart")
    func largeLimits() throws {
        let definition = flag(
            .integer, FlagConstraints(minimum: -9_007_199_254_740_993, maximum: 18_446_744_073_709_551_614))
        try definition.check(.integer(-9_007_199_254_740_993))
        try definition.check(.integer(18_446_744_073_709_551_614))
        #expect(
            try problem(definition, .integer(-9_007_199_254_740_994))
                == "-9007199254740994 is invalid: must be -9007199254740993 or more")
        #expect(
            try problem(definition, .integer(18_446_744_073_709_551_615))
                == "18446744073709551615 is invalid: must be 18446744073709551614 or less")
    }

    @Test(
        "Limits beyond any integer allow all of them or none",
        arguments: [
            (-1e300, 1e300, true), (-.infinity, .infinity, true), (1e300, nil, false), (.infinity, nil, false),
            (nil, -1e300, false),
            (nil, -.infinity, false), (.nan, nil, false), (nil, .nan, false), (nil, nil, true),
        ] as [(Double?, Double?, Bool)])
    func enormousLimits(minimum: Double?, maximum: Double?, isAllowed: Bool) throws {
        let definition = flag(
            .integer, FlagConstraints(minimum: minimum.map { FlagLimit($0) }, maximum: maximum.map { FlagLimit($0) }))
        for number in [Int128(Int64.min), 0, Int128(UInt64.max)] {
            if isAllowed {
                try definition.check(.integer(number))
            } else {
                #expect(throws: FlagValueError.self) { try definition.check(.integer(number)) }
            }
        }
    }

    @Test(
        "A pattern has to match the whole text",
        arguments: [
            ("[a-z]+", "abc", true), ("[a-z]+", "abc1", false), ("[a-z]+", "1abc", false), ("[a-z]+", "", false),
            ("a|bc", "bc", true),
            ("a|bc", "ac", false), ("a", "a\n", false), ("a$", "a\n", false), ("(?i)a", "A", true), (".", "é", true),
            (".", "😀", true),
        ])
    func pattern(pattern: String, text: String, matches: Bool) throws {
        let definition = flag(.string, FlagConstraints(pattern: pattern))
        if matches {
            try definition.check(.string(text))
        } else {
            #expect(
                try problem(definition, .string(text)) == "\"\(text)\" is invalid: must match the pattern \(pattern)"
            )
        }
    }

    @Test("A pattern binds a URL too")
    func urlPattern() throws {
        let definition = flag(.url, FlagConstraints(pattern: "https://.*"))
        try definition.check(.string("https://example.com"))
        #expect(
            try problem(definition, .string("http://example.com"))
                == "\"http://example.com\" is invalid: must match the pattern https://.*")
    }

    @Test(
        "A definition's pattern that is no regular expression is named as the cause",
        arguments: ["", "[", "a)|(b", "(", "*", "\\Qa"])
    func brokenPattern(pattern: String) throws {
        #expect(
            try problem(flag(.string, FlagConstraints(pattern: pattern)), .string("a"))
                == "the pattern \(pattern) is not a valid regular expression; fix it in the manifest")
    }

    @Test(
        "A pattern that takes ever more steps is given up, and one that only takes many is not")
    func slowPattern() throws {
        let slow = flag(.string, FlagConstraints(pattern: "(a+)+b"))
        #expect(
            try problem(slow, .string(String(repeating: "a", count: 50)))
                == "can't check \"\(String(repeating: "a", count: 50))\" because the pattern (a+)+b is too slow; "
                + "simplify the pattern in the manifest")
        try slow.check(.string("aaab"))
        let long = String(repeating: "ab", count: 500_000)
        try flag(.string, FlagConstraints(pattern: "[ab]*")).check(.string(long))
        #expect(
            try problem(flag(.string, FlagConstraints(pattern: "[ab]*c")), .string(long))
                == "text of 1000000 characters is invalid: must match the pattern [ab]*c")
    }

    @Test("Text that is no URL is refused", arguments: ["", "a b", "https://exa mple.com", "http://[", "\n"])
    func url(text: String) throws {
        #expect(
            try problem(flag(.url), .string(text))
                == "\"\(text)\" is invalid: must be a URL like https://example.com/path")
    }

    @Test("Text of other letters is told how a URL has them", arguments: ["ü é", "https://ü.de/ä/"])
    func foreignURL(text: String) throws {
        let told = try problem(flag(.url), .string(text))
        #expect(
            told.hasPrefix("\"\(text)\" is invalid: must be a URL") && told.contains("%C3%A4") && told.contains("xn--"))
    }

    @Test("A long text is counted in the message, not repeated")
    func longText() throws {
        let text = String(repeating: "x ", count: 40)
        #expect(try problem(flag(.url), .string(text)).hasPrefix("text of 80 characters is invalid: must be a URL"))
        #expect(
            try problem(flag(.string, FlagConstraints(pattern: "y")), .string(text))
                == "text of 80 characters is invalid: must match the pattern y")
    }

    @Test("Constraints of another type bind nothing")
    func otherTypes() throws {
        let constraints = FlagConstraints(choices: [.string("a")], minimum: 5, maximum: 6, pattern: "z")
        try flag(.bool, constraints).check(.bool(true))
        try flag(.data, constraints).check(.data(Data([1])))
        try flag(.integer, constraints).check(.integer(5))
        try flag(.string, constraints).check(.string("z"))
    }
}
