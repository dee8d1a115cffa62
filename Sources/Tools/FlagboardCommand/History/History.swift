import ArgumentParser

/// `flagboard history`: what can be done with a history without serving it.
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print, check, back up or prune the history of a values file.",
        subcommands: [
            HistoryList.self, HistoryVerify.self, HistoryExport.self, HistoryBackup.self, HistoryPrune.self,
            HistoryAccept.self, HistoryReindex.self, HistoryNote.self,
        ],
        defaultSubcommand: HistoryList.self)
}
