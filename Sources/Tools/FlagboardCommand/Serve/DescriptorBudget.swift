import CMemoryCalls
import DurableFiles
import Flagboard
import FlagChanges
import Foundation
import Logging
import NIOCore

/// Divides descriptors among files and connections.
///
/// The rest is for saves, the history, threads and requests to other servers, so that none of those fails for want of
/// one.
struct DescriptorBudget {
    let connections: Int
    /// The connections at the socket for the user's commands.
    let commandConnections: Int
    /// Set if the operator gives no number and the usual one is too high.
    let fewerStreams: Int?
    /// Set if there are fewer connections than usual.
    let caution: String?

    /// The fewest connections, beside streams, with which the server is of use.
    private static let fewestConnections = 16
    private static let commandConnections = (fewest: 8, usual: 64)

    /// The fewest descriptors with which a command runs: below, libraries end the process.
    private static let fewest = 64

    /// Refuses a command that would run out of descriptors.
    static func checkForCommands() throws(PlainError) {
        let limit = try DescriptorLimit.raise()
        guard limit < fewest else { return }
        throw PlainError(
            "This process can open \(limit) files and connections, but a command needs \(fewest). Raise the limit (ulimit "
                + "-n).")
    }

    /// - Parameters:
    ///   - streams: `nil` for the usual number.
    ///   - usual: The connections beside the operator's streams.
    /// - Throws: ``PlainError`` if there are too few descriptors.
    init(
        limit: Int, streams: Int?, usual: Int = ConnectionLimits().connections, providers: Int,
        threads: Int = System.coreCount
    ) throws(PlainError) {
        // A waiting thread takes three; a values file its lock, its watch, its folder and what is saved.
        let reserve = 64 + 3 * threads + 6 * providers + 2 * ConnectionLimits.surplus
        let room = limit - reserve
        let (fewest, wanted) = (Self.fewestConnections + Self.commandConnections.fewest, usual + (streams ?? 0))
        let needed = reserve + fewest + (streams ?? 0)
        guard needed <= limit else {
            let cause =
                streams.map { "--max-streams \($0) needs \(needed)" }
                ?? "the server needs at least \(needed)"
            let fewer = room - fewest
            let other = streams != nil && fewer > 0 ? ", or use --max-streams \(fewer) or less" : ""
            throw PlainError(
                "This process can open \(limit) files and connections, but \(cause).\nRaise the limit (ulimit -n, or "
                    + "LimitNOFILE= in systemd)\(other).")
        }
        commandConnections = min(Self.commandConnections.usual, Self.commandConnections.fewest + (limit - needed) / 8)
        connections = min(wanted, room - commandConnections)
        fewerStreams = connections / 2 < Dashboard.usualStreams ? connections / 2 : nil
        caution =
            connections < wanted
            ? "Limiting connections to \(connections) instead of \(wanted), because this process can open only "
                + "\(limit) files and connections. Raise the limit (ulimit -n, or LimitNOFILE= in systemd)."
            : nil
    }
}

enum SharedArena {
    /// Makes all threads share one memory arena.
    ///
    /// With one each, a large answer that several make in turn leaves its memory in each.
    static func choose(_ logger: Logger) {
        if flagboard_share_arena() == 0 {
            logger.warning("threads can't share one memory arena, so memory use is higher")
        }
    }
}
