import FeatureFlags
import FlagChanges

struct AppChain: Hashable, PagePart {
    let app: String
    /// `nil` for none.
    let shown: ShownValue?
    /// The first provider with that value; `nil` for the default or a computed value.
    let source: String?
    let readings: [ReadingRow]

    static func chains(
        _ definition: FlagDefinition, _ readings: [FlagResolution.Reading], _ providers: [String: ProviderSummary]
    ) -> [AppChain] {
        let apps = readings.compactMap { providers[$0.provider]?.connectedApp }.uniqued
        return apps.map { app in
            AppChain(app, definition, readings.filter { providers[$0.provider]?.connectedApp == app }, providers)
        }
    }

    private init(
        _ app: String, _ definition: FlagDefinition, _ readings: [FlagResolution.Reading],
        _ providers: [String: ProviderSummary]
    ) {
        func isRead(_ reading: FlagResolution.Reading) -> Bool {
            providers[reading.provider]?.isRead(for: definition.key) != false
        }
        let effective = readings.first { $0.provider == app }?.valueInForce
        let own = readings.filter { $0.provider != app }
        // Another value than that of the first provider with one is computed.
        let first = own.first { isRead($0) && $0.valueInForce != nil }
        let winner = first?.valueInForce == effective ? first?.provider : nil
        self.app = app
        shown = effective.map { ShownValue($0) }
        source = winner
        self.readings = own.map { reading in
            ReadingRow(
                reading, about: providers[reading.provider]?.description, isRead: isRead(reading),
                isEffectiveInApp: reading.provider == winner)
        }
    }
}

extension [String] {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
