extension Feature {
    /// In the order of the style sheets on a page: of two rules of the same weight, the later one counts.
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

    static let navigation: [MenuItem] = [.flags, .history, .compare, .environments]
    /// The links of the person's menu.
    static let menu: [MenuItem] = [.importing, .export, .access, .webhooks, .settings, .help]
    /// The pages that only the palette links to.
    static let furtherPages: [MenuItem] = [.timeMachine, .newDefinition, .searches, .apiHelp]
}

extension Route {
    static let all = Feature.all.flatMap(\.routes)
}
