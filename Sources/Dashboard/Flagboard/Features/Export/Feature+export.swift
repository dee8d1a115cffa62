import FlagChanges

extension Feature {
    static let export = Feature(
        routes: [
            .export, .values, .valuesJSON, .effective, .effectiveJSON, .manifest, .manifestJSON, .historyCSV,
            .historyJSONLines, .flagsText,
        ])
}

extension MenuItem {
    static let export = MenuItem("Export", .export)
}

extension Route {
    static let export = Route("export", "/export", get: Dashboard.exportPage)
    static let values = Route("values", "/export/flags.xml", get: { $0.exportValues(.propertyList) })
    static let valuesJSON = Route("values-json", "/export/flags.json", get: { $0.exportValues(.json) })
    static let effective = Route("effective", "/export/effective.xml", get: { $0.exportEffective(.propertyList) })
    static let effectiveJSON = Route("effective-json", "/export/effective.json", get: { $0.exportEffective(.json) })
    static let manifest = Route("manifest", "/export/manifest.xml", get: { $0.exportManifest(.propertyList) })
    static let manifestJSON = Route("manifest-json", "/export/manifest.json", get: { $0.exportManifest(.json) })
    static let historyCSV = Route("history-csv", "/export/history.csv", get: Dashboard.exportHistoryCSV)
    static let historyJSONLines = Route("history-jsonl", "/export/history.jsonl", get: Dashboard.exportHistoryJSONL)

    static let flagsText = Route("flags-text", "/export/flags.txt", get: Dashboard.flagsText)

    static let downloads = [
        values, valuesJSON, effective, effectiveJSON, manifest, manifestJSON, historyCSV, historyJSONLines, flagsText,
    ]
}
