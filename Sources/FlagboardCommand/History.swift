import ArgumentParser

/// `flagboard history`: what can be done with a history without serving it.
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the history of a values file.", subcommands: [HistoryVerify.self])
}
