import FeatureFlags
import FlagChanges

/// What a connected app reads, and what each of its providers holds.
struct AppChain: Hashable, PagePart {
    let app: String
    /// The value that the app reads; `nil` for none.
    let shown: ShownValue?
    /// The first provider that holds that value; `nil` for the default or a computed value.
    let source: String?
    let readings: [ReadingRow]

    static func chains(
        _ readings: [FlagResolution.Reading], _ providers: [String: ProviderSummary]
    ) -> [AppChain] {
        let apps = readings.compactMap { providers[$0.provider]?.connectedApp }.uniqued
        return apps.map { app in
            AppChain(app, readings.filter { providers[$0.provider]?.connectedApp == app }, providers)
        }
    }

    private init(_ app: String, _ readings: [FlagResolution.Reading], _ providers: [String: ProviderSummary]) {
        let effective = readings.first { $0.provider == app }?.valueInForce
        let own = readings.filter { $0.provider != app }
        let winner = own.first { $0.valueInForce != nil && $0.valueInForce == effective }?.provider
        self.app = app
        shown = effective.map { ShownValue($0) }
        source = winner
        self.readings = own.map { reading in
            ReadingRow(
                reading, about: providers[reading.provider]?.description, inAppAs: reading.provider == winner)
        }
    }
}

extension [String] {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
