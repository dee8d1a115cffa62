import ArgumentParser
import FeatureFlags

/// `flagboard history note FILE ID REASON`: the reason of a change that was made already.
struct HistoryNote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Give a change a reason after it was made.",
        discussion: """
            The reason becomes a row of its own, which names the change: no row is ever changed. A change may be given several.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: ArgumentHelp("The number of the change, as history list prints it.", valueName: "ID"))
    var id: Int64

    @Argument(help: ArgumentHelp("Why it was made.", valueName: "REASON"))
    var reason: String

    func run() async throws {
        try await target.run(to: .changing) { client in
            let body = JSONValue.object(["reason": .scalar(.string(reason))])
            let answer = try await client.post("/api/v1/history/\(id)/notes", body)
            if try target.printsJSON { return try CommandOutput.print(answer.text) }
            guard let change = try answer.json["change"] else {
                throw CommandRefusal("the answer tells nothing of the reason: \(answer.text.prefix(200))")
            }
            try CommandOutput.print(ShownChange(change).line)
        }
    }
}
