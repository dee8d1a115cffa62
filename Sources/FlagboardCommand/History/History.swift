import ArgumentParser

/// `flagboard history`: what can be done with a history without serving it.
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check, print or prune the history of a values file.",
        subcommands: [HistoryVerify.self, HistoryExport.self, HistoryPrune.self, HistoryAccept.self])
}
