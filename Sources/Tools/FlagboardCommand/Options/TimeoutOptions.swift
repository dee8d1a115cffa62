import ArgumentParser

/// The longest wait of a command for other processes.
struct TimeoutOptions: ParsableArguments {
    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "How many seconds to wait for another process that says nothing, such as 30 or 0.5 (default: 10).",
            valueName: "SECONDS"))
    var timeout: CommandTimeout?

    func validate() throws { _ = try duration }

    /// The time of the command line, else of the environment, else 10 seconds.
    var duration: Duration {
        get throws {
            if let timeout { return timeout.duration }
            guard let text = FlagboardEnvironment.current["TIMEOUT"] else { return .seconds(10) }
            guard let timeout = CommandTimeout(argument: text) else {
                throw ValidationError(
                    "FLAGBOARD_TIMEOUT is \"\(text)\"; it must be a number of seconds, more than 0 and at most \(CommandTimeout.longest)."
                )
            }
            return timeout.duration
        }
    }
}

/// A number of seconds, as it is written on the command line.
struct CommandTimeout: ExpressibleByArgument {
    /// A day.
    static let longest = 86_400
    /// A millisecond.
    private static let shortest = 0.001

    let duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), (Self.shortest...Double(Self.longest)).contains(seconds) else {
            return nil
        }
        duration = .milliseconds(Int64(seconds * 1000))
    }

    /// A duration in words: `10 seconds`.
    static func words(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}
