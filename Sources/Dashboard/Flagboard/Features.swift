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

    /// The links of the navigation.
    static let navigation: [MenuItem] = [.flags, .environments, .compare, .history, .importing, .export, .help]
    /// The links beside the viewer's name.
    static let viewerMenu: [MenuItem] = [.access, .webhooks, .settings]
    /// The pages that no menu leads to, for the field in which pages are found by their names.
    static let furtherPages: [MenuItem] = [.timeMachine, .newDefinition, .searches, .apiHelp]
}

extension Route {
    /// Every address there is.
    static let all = Feature.all.flatMap(\.routes)
}
