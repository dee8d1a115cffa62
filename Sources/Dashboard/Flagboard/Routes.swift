import FlagChanges

extension Route {
    // The flags
    static let flags = Route("flags", "/", get: Dashboard.flagList)
    static let flag = Route("flag", "/flags/**", get: Dashboard.flagPage, post: Dashboard.editFlag, isResumable: true)
    /// A flag by the field `key`, for key paths that browsers would normalise away (`.` and `..`).
    static let flagByKey = Route(
        "flag-by-key", "/flags", get: Dashboard.flagPage, post: Dashboard.editFlag, isResumable: true)
    /// The bytes of a flag's effective value, by the field `key`.
    static let flagData = Route("flag-data", "/data", get: Dashboard.flagData)

    /// The lines around a place in the source code, by the fields `file` and `line`.
    static let source = Route("source", "/source", get: Dashboard.sourcePage)

    /// The flags that one viewer comes back to.
    static let favourites = Route(
        "favourites", "/favourites", post: Dashboard.changeFavourites, isResumable: true, formOn: flags)

    /// Searches that have a name and a place in the menu.
    static let searches = Route(
        "searches", "/searches", get: Dashboard.searchesPage, post: Dashboard.changeSearches, isResumable: true)

    // Their definitions
    static let newDefinition = Route(
        "new-definition", "/definitions/new", get: Dashboard.newDefinitionPage, post: Dashboard.define,
        isResumable: true)
    static let definition = Route(
        "definition", "/definitions/**", get: Dashboard.definitionPage, post: Dashboard.editDefinition,
        isResumable: true)
    /// A definition by the field `key`, for key paths that browsers would normalise away, and for the flag `new`.
    static let definitionByKey = Route(
        "definition-by-key", "/definitions", get: Dashboard.definitionPage, post: Dashboard.editDefinition,
        isResumable: true)

    // Many flags
    /// Several changes, looked at before and made together.
    static let batch = Route(
        "batch", "/batch", get: Dashboard.previewPage, post: Dashboard.makeBatch, isResumable: true)
    /// The flags that were ticked in the list.
    static let selection = Route(
        "selection", "/selected", post: Dashboard.previewSelection, isResumable: true, formOn: flags)
    /// Two providers side by side; what is posted copies values across.
    static let compare = Route(
        "compare", "/compare", get: Dashboard.comparePage, post: Dashboard.copyAcross, isResumable: true)
    /// The files of values of several environments side by side; what is posted copies values across.
    static let environments = Route(
        "environments", "/environments", get: Dashboard.environmentsPage, post: Dashboard.copyBetweenEnvironments,
        isResumable: true)
    /// Values that come from elsewhere.
    static let importing = Route(
        "import", "/import", get: Dashboard.importPage, post: Dashboard.previewImport, isResumable: true)

    // The past
    static let history = Route("history", "/history", get: Dashboard.historyList)
    /// The flags as they were at a time; what is posted restores values.
    static let timeMachine = Route(
        "time-machine", "/history/at", get: Dashboard.timeMachine, post: Dashboard.restore, isResumable: true)
    static let pastValues = Route("past-values", "/history/at/values.xml", get: Dashboard.pastValues)
    static let pastJSON = Route("past-json", "/history/at/values.json", get: Dashboard.pastJSON)
    static let change = Route("change", "/history/:id", get: Dashboard.changePage)
    static let revert = Route(
        "revert", "/history/:id/revert", post: Dashboard.revert, isResumable: true, formOn: change)
    /// Gives a change its reason after it was made.
    static let reason = Route(
        "reason", "/history/:id/reason", post: Dashboard.addReason, isResumable: true, formOn: change)

    // Downloads
    static let export = Route("export", "/export", get: Dashboard.exportPage)
    static let values = Route("values", "/export/flags.xml", get: { $0.exportValues(.propertyList) })
    static let valuesJSON = Route("values-json", "/export/flags.json", get: { $0.exportValues(.json) })
    static let effective = Route("effective", "/export/effective.xml", get: { $0.exportEffective(.propertyList) })
    static let effectiveJSON = Route("effective-json", "/export/effective.json", get: { $0.exportEffective(.json) })
    static let manifest = Route("manifest", "/export/manifest.xml", get: { $0.exportManifest(.propertyList) })
    static let manifestJSON = Route("manifest-json", "/export/manifest.json", get: { $0.exportManifest(.json) })
    static let historyCSV = Route("history-csv", "/export/history.csv", get: Dashboard.exportHistoryCSV)
    static let historyJSONLines = Route("history-jsonl", "/export/history.jsonl", get: Dashboard.exportHistoryJSONL)

    // Getting in
    static let signIn = Route(
        "sign-in", "/sign-in", get: Dashboard.signInPage, post: Dashboard.signIn, visitors: .everybody,
        mayShowSecrets: true)
    static let signOut = Route("sign-out", "/sign-out", post: Dashboard.signOut)
    static let access = Route(
        "access", "/access", get: Dashboard.accessPage, visitors: .adminsOfAccess, mayShowSecrets: true)
    static let tokens = Route(
        "tokens", "/access/tokens", post: Dashboard.makeToken, visitors: .adminsOfAccess, mayShowSecrets: true)
    static let tokenRevocation = Route(
        "token-revocation", "/access/tokens/revoke", post: Dashboard.revokeToken, visitors: .adminsOfAccess,
        mayShowSecrets: true)
    static let sessionRevocation = Route(
        "session-revocation", "/access/sessions/revoke", post: Dashboard.endSessions, visitors: .adminsOfAccess,
        mayShowSecrets: true)

    // Programs that are told of changes
    static let webhooks = Route("webhooks", "/webhooks", get: Dashboard.webhooksPage, visitors: .adminsOfWebhooks)
    static let webhookTest = Route(
        "webhook-test", "/webhooks/test", post: Dashboard.testWebhook, visitors: .adminsOfWebhooks, formOn: webhooks)
    static let webhookEnabling = Route(
        "webhook-enabling", "/webhooks/enable", post: Dashboard.enableWebhook, visitors: .adminsOfWebhooks,
        formOn: webhooks)
    static let webhookReplay = Route(
        "webhook-replay", "/webhooks/replay", post: Dashboard.replayWebhook, visitors: .adminsOfWebhooks,
        formOn: webhooks)
    static let webhookRemoval = Route(
        "webhook-removal", "/webhooks/remove", post: Dashboard.removeWebhook, visitors: .adminsOfWebhooks,
        formOn: webhooks)

    // On every page
    /// That the app was restarted.
    static let restarted = Route(
        "restarted", "/restarted", post: Dashboard.restarted, isResumable: true, formOn: flags)
    /// What changes, as it happens.
    static let events = Route("events", "/events", get: Dashboard.eventStream, isForPrograms: true)
    /// How one viewer sees the pages.
    static let settings = Route(
        "settings", "/settings", get: Dashboard.settingsPage, post: Dashboard.saveSettings, isResumable: true)
    /// What the words mean, and the keys.
    static let help = Route("help", "/help", get: Dashboard.helpPage)
    /// What programs can ask, told for people.
    static let apiHelp = Route("help-api", "/help/api", get: Dashboard.apiPage)

    // For machines
    static let apiFlags = Route("api-flags", "/api/v1/flags", get: Dashboard.flagDocuments, isForPrograms: true)
    static let apiFlag = Route(
        "api-flag", "/api/v1/flags/**", get: Dashboard.flagDocument, put: Dashboard.setFlag,
        delete: Dashboard.resetFlag, isForPrograms: true)
    /// Several changes as one.
    static let apiBatches = Route("api-batches", "/api/v1/batches", post: Dashboard.applyBatch, isForPrograms: true)
    /// Values from elsewhere.
    static let apiImport = Route("api-import", "/api/v1/import", post: Dashboard.importValues, isForPrograms: true)
    /// That the app was restarted, as it reports itself.
    static let apiRestarted = Route(
        "api-restarted", "/api/v1/restarted", post: Dashboard.appRestarted, isForPrograms: true)
    static let apiHistory = Route(
        "api-history", "/api/v1/history", get: Dashboard.changeDocuments, isForPrograms: true)
    /// Two providers, or then and now.
    static let apiComparison = Route(
        "api-comparison", "/api/v1/compare", get: Dashboard.comparisonDocument, isForPrograms: true)
    static let apiChange = Route(
        "api-change", "/api/v1/history/:id", get: Dashboard.changeDocument, isForPrograms: true)
    static let apiNotes = Route(
        "api-notes", "/api/v1/history/:id/notes", post: Dashboard.addNote, isForPrograms: true)
    static let apiRevert = Route(
        "api-revert", "/api/v1/history/:id/revert", post: Dashboard.revertChange, isForPrograms: true)
    /// The last change of who asks.
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
    /// The downloads, by their names.
    static let apiExport = Route(
        "api-export", "/api/v1/export/:file", get: Dashboard.exportDocument, isForPrograms: true)
    /// What programs can ask, told for programs.
    static let apiDescription = Route(
        "api-description", "/api/v1/openapi.json", get: Dashboard.describeAPI, isForPrograms: true)

    // For OpenFeature's clients
    static let evaluations = Route(
        "evaluations", "/ofrep/v1/evaluate/flags", post: Dashboard.evaluateFlags, isForPrograms: true)
    static let evaluation = Route(
        "evaluation", "/ofrep/v1/evaluate/flags/**", post: Dashboard.evaluateFlag, isForPrograms: true)
    static let evaluationEvents = Route(
        "evaluation-events", "/ofrep/v1/events", get: Dashboard.evaluationEvents, isForPrograms: true)

    // For who watches over the process
    static let health = Route(
        "health", "/healthz", get: Dashboard.health, visitors: .everybody, isForPrograms: true)
    static let metrics = Route("metrics", "/metrics", get: Dashboard.metricsText, isForPrograms: true)

    /// What can be downloaded.
    static let downloads = [
        values, valuesJSON, effective, effectiveJSON, manifest, manifestJSON, historyCSV, historyJSONLines,
    ]

    /// Every address there is; of two that a path fits, the first is meant.
    static let all = [
        flags, flag, flagByKey, flagData, source, favourites, searches, newDefinition, definition, definitionByKey,
        batch,
        selection,
        compare, environments, importing, history, timeMachine, pastValues, pastJSON, change, revert, reason, export,
        values,
        valuesJSON,
        effective,
        effectiveJSON, manifest, manifestJSON, historyCSV, historyJSONLines, signIn, signOut, access, tokens,
        tokenRevocation, sessionRevocation, webhooks, webhookTest, webhookEnabling, webhookReplay, webhookRemoval,
        restarted, events, settings, help, apiHelp, apiFlags, apiFlag, apiBatches, apiImport,
        apiRestarted,
        apiHistory, apiChange, apiNotes, apiRevert, apiUndo, apiComparison, apiDefinitions, apiDefinition, apiProviders,
        apiSnapshot,
        apiExport,
        apiDescription,
        evaluations, evaluation, evaluationEvents, health, metrics,
    ]
}
