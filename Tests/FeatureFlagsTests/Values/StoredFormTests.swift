import FeatureFlags
import Foundation
import Testing

/// A `Codable` type that is stored as text of its own.
private struct Colour: Codable, FlagProtocol, Equatable {
    var name: String

    init(_ name: String) { self.name = name }

    init?(encoded value: FlagValue) {
        guard case .string(let name) = value else { return nil }
        self.init(name)
    }

    func encoded() -> FlagValue { .string(name) }
}

private enum Size: String, CaseIterable, Codable, FlagProtocol {
    case small, large

    init?(encoded value: FlagValue) {
        guard case .integer(let number) = value else { return nil }
        self = number == 0 ? .small : .large
    }

    func encoded() -> FlagValue { .integer(self == .small ? 0 : 1) }
}

/// A type that says nothing of its stored form.
private struct Opaque: FlagProtocol {
    init?(encoded value: FlagValue) { nil }

    func encoded() -> FlagValue { .bool(true) }
}

extension UInt128: FlagProtocol {}
extension Int128: FlagProtocol {}

private struct Flags: FlagCollectionProtocol {
    @Flag(default: Colour("red"), description: "Stored as text")
    var colour: Colour
    @Flag(default: .small, description: "Stored as a number")
    var size: Size
    @Flag(default: .integer(1), description: "Any value")
    var any: FlagValue
    @Flag(description: "Nothing says what it is")
    var opaque: Opaque?
    @Flag(default: Date(timeIntervalSince1970: 0), description: "A date")
    var since: Date
    @Flag(default: UInt128(1), description: "A long number")
    var long: UInt128
}

@Suite("The stored forms of values")
struct StoredFormTests {
    private let store = TestProvider(name: "Store")
    private let flags: FlagsLoader<Flags>

    init() { flags = FlagsLoader(Flags.self, providers: [store]) }

    @Test(
        "A date that its text can't say is refused, and changes nothing",
        arguments: [Date.distantPast.timeIntervalSince1970, .nan, .infinity, 1e12])
    func dates(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(throws: FlagValueError.self) { try date.encoded() }
        #expect(flags.$since.setValue(date).isEmpty)
        #expect(throws: FlagValueError.self) { try flags.$since.set(date, in: "Store") }
        #expect(try store.store?.values.isEmpty == true)
        #expect(flags.since == Date(timeIntervalSince1970: 0))
        #expect(try Date.decode(Date.distantFuture.encoded()) == .distantFuture)
    }

    @Test("An integer of at most 64 bits has a stored form always, so that no try is needed")
    func integers() {
        let stored = [
            Int.min.encoded(), Int8.min.encoded(), Int16.min.encoded(), Int32.min.encoded(), Int64.min.encoded(),
            UInt.max.encoded(), UInt8.max.encoded(), UInt16.max.encoded(), UInt32.max.encoded(), UInt64.max.encoded(),
        ]
        let numbers: [Int128] = [
            Int128(Int.min), -128, -32768, -2_147_483_648, Int128(Int64.min), Int128(UInt.max), 255, 65535,
            4_294_967_295, Int128(UInt64.max),
        ]
        #expect(stored == numbers.map(FlagValue.integer))
    }

    @Test(
        "A number that no property list holds is refused",
        arguments: [UInt128(UInt64.max) + 1, UInt128(Int128.max), UInt128.max])
    func longNumbers(number: UInt128) throws {
        #expect(throws: FlagValueError.self) { try number.encoded() }
        #expect(throws: FlagValueError.self) { try Int128.min.encoded() }
        #expect(flags.$long.setValue(number).isEmpty)
        #expect(try UInt128(UInt64.max).encoded() == .integer(Int128(UInt64.max)))
        #expect(flags.long == 1)
    }

    @Test("A definition has the type of what is stored where that is none of the Swift type's own")
    func types() {
        #expect(flags.$colour.definition.type == .string)
        #expect(flags.$any.definition.type == .integer)
        #expect(FlagValue.flagType == nil)
        #expect(flags.$size.definition.type == .choice)
        #expect(flags.$size.definition.constraints.choices == [.integer(0), .integer(1)])
        #expect(flags.$opaque.definition.type == .json)
    }

    @Test("A description shows the stored form, and stops the process for no value")
    func descriptions() {
        flags.$since.setDefault(Date(timeIntervalSince1970: .nan))
        #expect(flags.$since.debugDescription.hasPrefix("since=a Date that can't be stored: "))
        #expect(flags.debugDescription.contains("since=a Date that can't be stored"))
        #expect(flags.$since.valueDescription().value.hasPrefix("a Date that can't be stored"))
        #expect(flags.$colour.debugDescription == "colour=red")
        #expect(flags.$opaque.debugDescription == "opaque=nil")
        #expect(flags.$long.valueDescription().value == "1")
    }
}
