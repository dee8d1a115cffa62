import CMemoryCalls
import Flagboard
import FlagChanges
import Foundation
import Logging
import NIOCore

/// How many files and connections the server may have open at once, and what of that each part of it gets.
///
/// What is not for connections is kept for saves, the history, threads and what is asked of other servers, so that none of those
/// ever fails for want of a descriptor.
struct DescriptorBudget {
    /// How many connections the server takes.
    let connections: Int
    /// How many connections the socket takes by which the user's other commands come in.
    let commandConnections: Int
    /// How many streams of events there may be, where the operator has not said so and as many as usual are too many; else `nil`.
    let fewerStreams: Int?
    /// Why there are fewer connections than usual, as a sentence; `nil` where there are not.
    let caution: String?

    /// The most descriptors that are ever asked for: what the largest number of streams takes, and room to spare.
    private static let most = 65_536
    /// How many connections the server needs beside its streams to be of use.
    private static let fewestConnections = 16
    /// How many connections the socket of the user's commands takes at least, and usually.
    private static let commandConnections = (fewest: 8, usual: 64)

    /// Raises this process' own limit as far as the system lets it.
    ///
    /// - Throws: ``StartError`` where the limit can't be read.
    static func raiseLimit() throws(StartError) -> Int {
        var limits = rlimit()
        guard getrlimit(noFile, &limits) == 0 else {
            throw StartError("can't read how many files may be open: \(String(cString: strerror(errno)))")
        }
        let wanted = max(limits.rlim_cur, min(limits.rlim_max, rlim_t(most)))
        if wanted > limits.rlim_cur {
            var raised = limits
            raised.rlim_cur = wanted
            // Where the system refuses that, the limit of before holds.
            if setrlimit(noFile, &raised) == 0 { limits = raised }
        }
        return Int(clamping: limits.rlim_cur)
    }

    #if canImport(Darwin)
        private static let noFile = RLIMIT_NOFILE
    #else
        private static let noFile = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    /// Divides the descriptors.
    ///
    /// - Parameters:
    ///   - streams: How many streams of events the operator wants; `nil` for as many as usual.
    ///   - usual: How many connections there are without the operator's streams, which take none from the others.
    /// - Throws: ``StartError`` where that is too few.
    init(
        limit: Int, streams: Int?, usual: Int = ConnectionLimits().connections, providers: Int,
        threads: Int = System.coreCount
    ) throws(StartError) {
        // A thread that waits takes three; a values file its lock, its watch, its folder and what is saved.
        let reserve = 64 + 3 * threads + 6 * providers + 2 * ConnectionLimits.surplus
        let room = limit - reserve
        let (fewest, wanted) = (Self.fewestConnections + Self.commandConnections.fewest, usual + (streams ?? 0))
        let needed = reserve + fewest + (streams ?? 0)
        guard needed <= limit else {
            let cause =
                streams.map { "--max-streams \($0) takes \(needed) descriptors" }
                ?? "the server takes at least \(needed)"
            let fewer = room - fewest
            let other = streams != nil && fewer > 0 ? ", or give --max-streams \(fewer) at most" : ""
            throw StartError(
                "this process may have \(limit) files and connections open, and \(cause).\n"
                    + "Raise the limit (ulimit -n, or LimitNOFILE= of systemd)\(other).")
        }
        commandConnections = min(Self.commandConnections.usual, Self.commandConnections.fewest + (limit - needed) / 8)
        connections = min(wanted, room - commandConnections)
        fewerStreams = connections / 2 < Dashboard.usualStreams ? connections / 2 : nil
        caution =
            connections < wanted
            ? "Only \(connections) connections are taken at once rather than \(wanted), because this process may have "
                + "\(limit) files and connections open: raise the limit (ulimit -n, or LimitNOFILE= of systemd)."
            : nil
    }
}

/// How the C library keeps memory that was given back.
enum SharedArena {
    /// Has all threads take memory from one arena: with one for each thread, a large answer that several of them make in turn
    /// leaves its memory in each.
    ///
    /// - Parameter logger: What is told where that can't be had; the server then holds more memory, and works.
    static func choose(_ logger: Logger) {
        if flagboard_share_arena() == 0 {
            logger.warning("all threads can't share one arena of memory, so more memory is held")
        }
    }
}
