import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Synchronization
import Testing

@Suite("The conformance suite finds")
struct FlagsProviderConformanceTests {
    @Test(
        "a provider that gets one thing wrong",
        arguments: [
            (.readsBrokenAsAbsent, "is broken, not absent"), (.clobbersScalars, "is never lost to a deeper key path"),
            (.splitsComponents, "no component is ever split"), (.losesKinds, "boolean true reads back the same"),
            (.refusesAbsentRemoval, "removing"), (.tellsTwice, "a change without effect is not announced"),
            (.keepsRemoved, "is gone once removed"), (.forgets, "no task's change is lost to another's"),
            (.answersFalse, "setting a value reports success"), (.forgetsOnRefresh, "a refresh keeps"),
        ] as [(Fault, String)])
    func finds(fault: Fault, rule: String) async throws {
        let found = Mutex(false)
        try await withKnownIssue {
            try await FlagsProviderConformance.check { FaultyProvider(fault) }
        } matching: { issue in
            if issue.comments.contains(where: { $0.rawValue.contains(rule) }) || issue.error is Fault {
                found.withLock { $0 = true }
            }
            return true
        }
        #expect(found.withLock { $0 }, "\(fault) breaks the rule \"\(rule)\"")
    }

    @Test("a read-only provider that changes, or holds something else")
    func findsReadOnly() async {
        for provider in [FaultyProvider(.ignoresReadOnly), FaultyProvider(.saysReadOnly)] {
            await withKnownIssue {
                try await FlagsProviderConformance.checkReadOnly(holding: [keyPath("a"): .bool(true)]) { provider }
            }
        }
        await withKnownIssue {
            try await FlagsProviderConformance.checkReadOnly(holding: [:]) { InMemoryProvider(isWritable: false) }
        }
        await withKnownIssue {
            try await FlagsProviderConformance.checkReadOnly(holding: [keyPath("a"): .bool(true)]) {
                InMemoryProvider(values: ["a": .bool(false)], isWritable: false)
            }
        }
    }

    @Test("a provider that says it is writable, and a declared limit that is none")
    func findsLimits() async {
        await withKnownIssue {
            try await FlagsProviderConformance.check { InMemoryProvider(isWritable: false) }
        }
        await withKnownIssue {
            try await FlagsProviderConformance.check(FlagsProviderConformance.Limits { $0.kind != "date" }) {
                InMemoryProvider()
            }
        }
    }
}

/// What a provider can get wrong.
enum Fault: Error {
    case readsBrokenAsAbsent, clobbersScalars, splitsComponents, losesKinds, refusesAbsentRemoval, tellsTwice
    case keepsRemoved, forgets, answersFalse, forgetsOnRefresh, ignoresReadOnly, saysReadOnly
}

/// A provider that gets one thing wrong.
private final class FaultyProvider: FlagsProvider {
    let name = "Faulty"
    let isWritable: Bool
    private let fault: Fault
    private let values = FlagValueStore()

    init(_ fault: Fault) {
        self.fault = fault
        isWritable = fault != .ignoresReadOnly && fault != .saysReadOnly
    }

    var store: FlagValueStore? { values }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if fault == .losesKinds, try values.value(at: key) == .bool(true) { return .integer(1) }
        return try values.value(at: mapped(key))
    }

    func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError) -> Value? {
        guard let stored = try storedValue(at: key) else { return nil }
        if fault == .readsBrokenAsAbsent { return Value(encoded: stored) }
        return try Value.decode(stored)
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        if fault == .saysReadOnly { throw FlagValueError("read-only") }
        let key = mapped(key)
        switch fault {
        case .refusesAbsentRemoval where value == nil:
            guard try values.value(at: key) != nil else { throw fault }
        case .keepsRemoved where value == nil: return
        case .forgets where key.components.last == "n5": return
        case .clobbersScalars:
            for ancestor in key.ancestors {
                let found = Result { try values.value(at: ancestor) }
                guard case .success(let value?) = found, value.kind != "dictionary" else { continue }
                try values.set(nil, at: ancestor)
            }
        case .tellsTwice where value != nil:
            try values.set(.string("between"), at: key)
        default: break
        }
        try values.set(value, at: key)
    }

    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        try setStoredValue(value?.encoded(), at: key)
        return fault != .answersFalse
    }

    func refresh() async throws {
        if fault == .forgetsOnRefresh { values.replace(with: [:]) }
    }

    private func mapped(_ key: FlagKeyPath) -> FlagKeyPath {
        guard fault == .splitsComponents else { return key }
        return FlagKeyPath(components: key.components.flatMap { $0.components(separatedBy: "/") })
    }
}
