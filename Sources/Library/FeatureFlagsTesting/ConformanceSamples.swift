import FeatureFlags
import Foundation

/// Values and components that providers have mishandled.
enum ConformanceSamples {
    /// Every kind of value with its extremes; dates have whole seconds, as in property lists.
    static let values: [FlagValue] =
        [.bool(true), .bool(false)]
        + [0, 1, -1, Int128(Int64.min), Int128(Int64.max), Int128(Int64.max) + 1, Int128(UInt64.max)].map(
            FlagValue.integer)
        + [
            0, 1, -1.5, 0.1, 1e21, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi,
            .infinity, -.infinity, .nan, 9_007_199_254_740_994,
        ].map(FlagValue.double)
        + [
            "", " ", "  a b\n\t", "true", "1", "<&>\"'", "]]>", "a\r\nb\rc", "e\u{301}", "\u{E9}", "👩‍👩‍👧 Ω", "\u{FEFF}x",
            "\u{2028}", String(repeating: "long ", count: 2000),
        ].map(FlagValue.string)
        + [0, -1, 1_769_860_800, -62_135_596_800, 253_402_300_799].map {
            .date(Date(timeIntervalSince1970: $0))
        }
        + [Data(), Data([0]), Data((0...255).map { UInt8($0) })].map(FlagValue.data)
        + [
            .array([]), .array([.integer(1), .double(1), .bool(true), .string("1"), .array([]), .dictionary([:])]),
            .dictionary([:]),
            .dictionary(["": .integer(0), "a": .dictionary(["b": .array([.dictionary(["c": .bool(false)])])])]),
        ]

    /// Components that a provider may misinterpret.
    static let components = [
        "", " ", ".", "..", "0", "-1", "a.b", "a/b", "a~b", "~1", "a_b", "a__b", "A_B", "key\"<&>'", "line\nbreak", "👩‍👩‍👧",
        "e\u{301}x", String(repeating: "long", count: 50), "$0", "<key>", "%20", "x:y=z",
    ]
}
