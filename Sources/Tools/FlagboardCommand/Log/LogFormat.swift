import ArgumentParser
import Logging

/// How a line of the log is written.
enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, json
}

/// What is logged, and how.
struct LogSettings: Sendable {
    var format = LogFormat.text
    var level = Logger.Level.warning

    /// What logs to standard error.
    var logger: Logger {
        var logger = Logger(label: "flagboard") { label in
            switch format {
            case .text: TextLogHandler(label: label)
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = level
        return logger
    }

    /// Says why a command ends: as a line of the log where those are for programs, else as commands do.
    func tell(_ failure: StartError) {
        switch format {
        case .text: CommandOutput.warn(failure.description)
        case .json: logger.critical("\(failure.description)")
        }
    }
}

extension Logger {
    /// What commands log to: standard error, where something is wrong.
    static var ofCommand: Logger { LogSettings().logger }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
