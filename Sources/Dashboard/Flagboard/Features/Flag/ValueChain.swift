import FeatureFlags
import FlagChanges

/// Why a flag has its value: what each provider says that a read asks, then the default; and what the flag is in other environments.
struct ValueChain: Hashable, PagePart {
    let readings: [ReadingRow]
    /// What the providers hold that a read doesn't ask.
    let elsewhere: [ReadingRow]

    /// Tells of a flag.
    ///
    /// - Parameter isBrief: Whether it goes without saying where each provider's values are from.
    init(_ entry: FlagEntry, in view: CatalogueView, isBrief: Bool) {
        let resolution = entry.resolution
        let providers = Dictionary(
            view.catalogue.providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        func row(_ reading: FlagResolution.Reading) -> ReadingRow {
            let provider = providers[reading.provider]
            return ReadingRow(
                reading, about: isBrief ? nil : provider?.description, source: resolution.source,
                isReadable: !view.status.unreadable.contains(reading.provider),
                isRead: provider?.isRead(for: entry.key) != false)
        }
        readings =
            resolution.asked.map(row)
            + [ReadingRow(defaultValue: entry.definition.defaultValue, source: resolution.source)]
        elsewhere = resolution.readings.filter { !$0.isAsked }.map(row)
    }
}
