extension Feature {
    /// Every part of the dashboard, in the order in which pages name their style sheets: of two rules of the same weight, the later
    /// one counts.
    static let all: [Feature] = [
        .live,
        .flagList,
        .flag,
        .selection,
        .definition,
        .batch,
        .importing,
        .history,
        .timeMachine,
        .matrix,
        .compare,
        .environments,
        .source,
        .help,
        .searches,
        .settings,
        .favourites,
        .undo,
        .export,
        .signIn,
        .access,
        .webhooks,
        .restart,
        .api,
        .evaluation,
        .operating,
    ]

    /// The links of the header.
    static let navigation: [MenuItem] = [.flags, .history, .compare, .environments]
    /// The links of the person's menu in the header.
    static let menu: [MenuItem] = [.importing, .export, .access, .webhooks, .settings, .help]
    /// The pages that the header doesn't link to, for the palette.
    static let furtherPages: [MenuItem] = [.timeMachine, .newDefinition, .searches, .apiHelp]
}

extension Route {
    /// Every address there is.
    static let all = Feature.all.flatMap(\.routes)
}
