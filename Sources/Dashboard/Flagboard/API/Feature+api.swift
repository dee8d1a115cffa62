extension Feature {
    static let api = Feature(
        routes: [
            .apiFlags, .apiFlag, .apiBatches, .apiImport, .apiHistory, .apiComparison, .apiChange, .apiNotes,
            .apiRevert, .apiUndo, .apiDefinitions, .apiDefinition, .apiProviders, .apiSnapshot, .apiExport,
            .apiDescription,
        ])
}

extension Route {
    static let apiFlags = Route("api-flags", "/api/v1/flags", get: Dashboard.flagDocuments, isForPrograms: true)
    static let apiFlag = Route(
        "api-flag", "/api/v1/flags/**", get: Dashboard.flagDocument, put: Dashboard.setFlag,
        delete: Dashboard.resetFlag, isForPrograms: true)
    static let apiBatches = Route("api-batches", "/api/v1/batches", post: Dashboard.applyBatch, isForPrograms: true)
    static let apiImport = Route("api-import", "/api/v1/import", post: Dashboard.importValues, isForPrograms: true)
    static let apiHistory = Route(
        "api-history", "/api/v1/history", get: Dashboard.changeDocuments, isForPrograms: true)
    static let apiComparison = Route(
        "api-comparison", "/api/v1/compare", get: Dashboard.comparisonDocument, isForPrograms: true)
    static let apiChange = Route(
        "api-change", "/api/v1/history/:id", get: Dashboard.changeDocument, isForPrograms: true)
    static let apiNotes = Route(
        "api-notes", "/api/v1/history/:id/notes", post: Dashboard.addNote, isForPrograms: true)
    static let apiRevert = Route(
        "api-revert", "/api/v1/history/:id/revert", post: Dashboard.revertChange, isForPrograms: true)
    static let apiUndo = Route("api-undo", "/api/v1/undo", post: Dashboard.undoChange, isForPrograms: true)
    static let apiDefinitions = Route(
        "api-definitions", "/api/v1/definitions", get: Dashboard.definitionDocuments, isForPrograms: true)
    static let apiDefinition = Route(
        "api-definition", "/api/v1/definitions/**", get: Dashboard.definitionDocument, post: Dashboard.moveDefinition,
        put: Dashboard.putDefinition, delete: Dashboard.deleteDefinition, isForPrograms: true)
    static let apiProviders = Route(
        "api-providers", "/api/v1/providers", get: Dashboard.providerDocuments, isForPrograms: true)
    /// All flags at one moment, for a replica.
    static let apiSnapshot = Route(
        "api-snapshot", "/api/v1/snapshot", get: Dashboard.snapshot, isForPrograms: true)
    static let apiExport = Route(
        "api-export", "/api/v1/export/:file", get: Dashboard.exportDocument, isForPrograms: true)
    static let apiDescription = Route(
        "api-description", "/api/v1/openapi.json", get: Dashboard.describeAPI, isForPrograms: true)
}
