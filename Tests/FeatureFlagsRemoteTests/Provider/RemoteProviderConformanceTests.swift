import FeatureFlags
import FeatureFlagsRemote
import FeatureFlagsTesting
import Foundation
import Testing

@Suite("A remote provider keeps the rules of providers")
struct RemoteProviderConformanceTests {
    private static let evaluations = """
        {"flags": [{"key": "delivery/fee", "value": 3.5}, {"key": "on", "value": true}, {"key": "modes",
        "value": {"items": ["a", "b"]}, "metadata": {"type": "array"}}]}
        """
    private static let list = """
        <plist version="1.0"><dict><key>on</key><true/><key>delivery</key><dict><key>fee</key><real>3.5</real></dict>
        <key>since</key><date>2026-01-31T00:00:00Z</date></dict></plist>
        """

    private static let cases: [(RemoteShape, String, [FlagKeyPath: FlagValue])] = [
        (
            .json, #"{"on": true, "delivery": {"fee": 3.5}, "modes": ["a", "b"], "none": null}"#,
            [keyPath("on"): true, keyPath("delivery", "fee"): 3.5, keyPath("modes", "1"): "b"]
        ),
        (.json(at: ["config"]), #"{"config": {"on": true}}"#, [keyPath("on"): true]),
        (.records, #"[{"featureName": "on", "isActive": 1}]"#, [keyPath("on"): true]),
        (
            .propertyList, list,
            [
                keyPath("on"): true, keyPath("delivery", "fee"): 3.5,
                keyPath("since"): .date(Date(timeIntervalSince1970: 1_769_817_600)),
            ]
        ),
        (
            .ofrep, evaluations,
            [keyPath("on"): true, keyPath("delivery", "fee"): 3.5, keyPath("modes"): .array(["a", "b"])]
        ),
    ]

    @Test(arguments: cases)
    func `each shape passes the conformance suite`(
        _ shape: RemoteShape, _ answer: String, _ seed: [FlagKeyPath: FlagValue]
    ) async throws {
        let server = try await RemoteServer { _ in .json(answer, tag: "\"1\"") }
        try await FlagsProviderConformance.checkReadOnly(holding: seed) {
            try RemoteProvider(server.address(), shape: shape)
        }
        try await server.close()
    }

    @Test
    func `a value of the wrong type is broken for its flag alone, and JSON is read with its nulls and every digit`()
        async throws
    {
        let server = try await RemoteServer { _ in
            .json(#"{"on": "maybe", "count": 3, "big": 18446744073709551616, "layout": {"columns": [1, null]}}"#)
        }
        let provider = try RemoteProvider(server.address())
        try await provider.setUp()
        #expect(throws: FlagValueError.self) { try provider.value(of: Bool.self, at: keyPath("on")) }
        #expect(throws: FlagValueError.self) { try provider.value(of: UInt64.self, at: keyPath("big")) }
        #expect(try provider.value(of: Int.self, at: keyPath("count")) == 3)
        #expect(
            try provider.value(of: JSONData.self, at: keyPath("layout"))?.jsonString == #"{"columns":[1,null]}"#)
        await provider.tearDown()
    }

    @Test func `a flag that the server could not evaluate is broken, and the next provider is asked`() async throws {
        let server = try await RemoteServer { _ in
            .json(#"{"flags": [{"key": "on", "errorCode": "GENERAL", "errorDetails": "no luck"}]}"#)
        }
        let provider = try RemoteProvider(server.address(), shape: .ofrep)
        try await provider.setUp()
        let flags = FlagsLoader(OneFlag.self, providers: [provider, InMemoryProvider(values: ["on": true])])
        #expect(flags.on)
        let explanation = flags.$on.explain()
        #expect(explanation.resolution.source == .provider("In memory"))
        #expect(explanation.description.contains("Remote: broken: the server can't evaluate it: GENERAL, no luck"))
        await provider.tearDown()
    }
}

struct OneFlag: FlagCollectionProtocol {
    @Flag(default: false, description: "Whether it is on")
    var on: Bool
}
