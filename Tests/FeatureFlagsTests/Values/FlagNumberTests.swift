import FeatureFlags
import Testing

@Suite("Numbers as text")
struct FlagNumberTests {
    @Test(
        "A number is shown without a needless fraction, and reads back the same",
        arguments: [
            (0, "0"), (-0.0, "-0"), (5, "5"), (-5, "-5"), (0.1, "0.1"), (-1.5, "-1.5"), (1e20, "100000000000000000000"),
            (1e21, "1e+21"), (-1e21, "-1e+21"), (0x1p53, "9007199254740992"), (1e300, "1e+300"),
            (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.pi, "3.141592653589793"), (.nan, "nan"),
            (-Double.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"),
        ] as [(Double, String)])
    func text(number: Double, text: String) throws {
        #expect(FlagNumber.text(number) == text)
        let parsed = try #require(FlagNumber.parse(text))
        #expect(FlagValue.double(parsed) == .double(number))
    }

    @Test(
        "A decimal number is read",
        arguments: [
            ("+5", 5), ("1.", 1), (".5", 0.5), ("2e3", 2000), ("2E-3", 0.002), ("-INF", -.infinity),
            ("Infinity", .infinity), ("+inf", .infinity), ("0e5", 0), ("0.00", 0), ("4.9e-324", .leastNonzeroMagnitude),
        ] as [(String, Double)])
    func reads(text: String, number: Double) {
        #expect(FlagNumber.parse(text) == number)
    }

    @Test(
        "What is no decimal number, or too large for one, or too small to be told from 0, is refused",
        arguments: [
            "", " ", " 1", "1 ", "1,5", "1_000", "0x10", "0x1p3", "nan(1)", "NaN(0x5)", "1e999", "-1e999", "1e-999",
            "-0.1e-400", "e5", "-",
            "true", "½", "５", "1.5.2", "infin", "1e",
        ])
    func refuses(text: String) {
        #expect(FlagNumber.parse(text) == nil)
    }
}
