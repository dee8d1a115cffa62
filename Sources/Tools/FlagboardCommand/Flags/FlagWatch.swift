import ArgumentParser
import AsyncHTTPClient
import FeatureFlags
import Foundation
import NIOCore

struct FlagWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print each change as it happens, until you stop the command.",
        discussion: """
            If no server is running for the file, this command acts as one while it runs, without pages: it records \
            external edits, and other commands go through it. With --json, prints each change as one line, in the \
            format of GET /api/v1/history/ID.
            """)

    @OptionGroup var target: FlagFileOptions

    @Option(help: ArgumentHelp("Start after this row of the history, by its number.", valueName: "ID"))
    var after: Int64?

    func run() async throws {
        try await target.run(to: .watching) { client in
            var last = after
            var events = EventReader()
            var end = "stopped"
            do {
                for try await piece in try await client.follow("/events", [("after", after.map(String.init))]) {
                    for event in events.events(in: String(buffer: piece)) {
                        switch event.name {
                        case "flag-changed", "history":
                            guard let id = Int64(event.id) else { continue }
                            try await print(client, id)
                            last = id
                        case "reload":
                            CommandOutput.note(
                                "The history has no such change yet, or more changes than a stream can carry. Run "
                                    + "flagboard history to see them.")
                        case "ended":
                            throw CommandRefusal(
                                "The token is no longer valid. Create a new one with flagboard token add.",
                                exit: .notSignedIn)
                        default: break
                        }
                    }
                }
            } catch let error where FlagboardSession.isLostConnection(error) {
                // The server ended without a message.
            } catch let error where last != nil && FlagboardSession.isSilence(error) {
                end = "no longer responds: it is suspended or busy"
            }
            let place = last.map { ". Run flagboard watch --after \($0) to continue from here" } ?? ""
            throw CommandRefusal("The file's server \(end)\(place).")
        }
    }

    private func print(_ client: FlagboardClient, _ id: Int64) async throws {
        let answer: FlagboardClient.Answer
        do {
            answer = try await client.get("/api/v1/history/\(id)")
        } catch let refusal as CommandRefusal where refusal.status == 404 {
            // Later changes are printed nevertheless.
            return CommandOutput.note("Change \(id) is no longer available: \(refusal.description)")
        }
        try CommandOutput.print(try target.printsJSON ? answer.text : ShownChange(try answer.json).line)
    }
}

/// Splits a stream (`text/event-stream`) into events, however it is cut.
struct EventReader {
    struct Event: Hashable {
        var name = ""
        var id = ""
    }

    private var rest = ""

    mutating func events(in piece: String) -> [Event] {
        rest += piece
        var blocks = rest.components(separatedBy: "\n\n")
        rest = blocks.removeLast()
        return blocks.compactMap { block in
            var event = Event()
            for line in block.split(separator: "\n") {
                if let name = line.wholeMatch(of: /event: ?(.*)/) { event.name = String(name.1) }
                if let id = line.wholeMatch(of: /id: ?(.*)/) { event.id = String(id.1) }
            }
            return event.name.isEmpty ? nil : event
        }
    }
}
