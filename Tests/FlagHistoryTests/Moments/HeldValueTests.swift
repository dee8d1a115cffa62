import FeatureFlags
import FlagHistory
import Foundation
import Testing

@Suite("The values that a history has recorded of a provider")
struct HeldValueTests {
    @Test("Both values of a change count, of the flag in any spelling, and nothing of an attempt")
    func held() throws {
        let store = try TemporaryHistory.filled([
            .sample(
                key: "ui/Größe", provider: "Local", type: .dictionary,
                before: .dictionary(["b": .integer(1), "a": .double(1)]), after: .string("new")),
            .sample(
                key: "ui/Größe", kind: .denied, provider: "Local", before: .string("new"), after: .string("denied")),
            .sample(key: "ui/Größe", provider: "Other", after: .string("elsewhere")),
        ])
        let key = FlagKeyPath.make("ui/Gro\u{0308}ße")
        func hasRecorded(_ value: FlagValue, _ provider: String = "Local", _ key: FlagKeyPath = key) throws -> Bool {
            try store.history.hasRecorded(value, at: key, in: provider)
        }
        #expect(try hasRecorded(.dictionary(["a": .double(1), "b": .integer(1)])))
        #expect(try hasRecorded(.string("new")) && hasRecorded(.string("elsewhere"), "Other"))
        #expect(try !hasRecorded(.dictionary(["a": .integer(1), "b": .integer(1)])))
        #expect(try !hasRecorded(.string("denied")) && !hasRecorded(.string("elsewhere")))
        #expect(try !hasRecorded(.string("new"), "Local", .make("ui")))
    }
}
