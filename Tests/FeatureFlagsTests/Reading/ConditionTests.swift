import FeatureFlags
import Testing

@Suite("What a provider says of itself in an explanation")
struct ConditionTests {
    private final class Distant: FlagsProvider {
        let name: String
        let isWritable = false
        let condition: String?

        init(_ name: String, _ condition: String?) { (self.name, self.condition) = (name, condition) }

        func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { nil }
        func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {}
    }

    private struct OneFlag: FlagCollectionProtocol {
        @Flag(default: 3, description: "A number")
        var number: Int
    }

    @Test("It is printed behind the provider's answer, and nothing is where a provider says nothing")
    func printed() {
        let flags = FlagsLoader(
            OneFlag.self,
            providers: [Distant("Far", "an hour old"), InMemoryProvider(values: ["number": 5]), Distant("Near", nil)])
        let explanation = flags.$number.explain()
        #expect(explanation.conditions == ["Far": "an hour old"])
        #expect(
            explanation.description == """
                number: integer 5, from In memory
                  Far: no value (an hour old)
                  In memory: integer 5
                  Near: no value
                  default: integer 3
                  read every time: Far
                """)
    }

    @Test("Wrappers pass it on, and a pair names whose it is")
    func wrapped() {
        let far = Distant("Far", "an hour old")
        #expect(ReadOnlyProvider(far).condition == "an hour old")
        #expect(OverridableProvider(provider: far, override: InMemoryProvider()).condition == "Far: an hour old")
        #expect(
            OverridableProvider(provider: far, override: Distant("Near", "new")).condition
                == "Near: new; Far: an hour old")
        #expect(OverridableProvider(provider: Distant("Far", nil), override: InMemoryProvider()).condition == nil)
    }
}
