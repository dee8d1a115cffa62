import ArgumentParser
import Foundation
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

/// Logs to standard error, one JSON object a line.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let label: String

    /// - Parameter label: What logs.
    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let line = LogLine(
            label: label, level: event.level.rawValue, message: "\(event.message)",
            metadata: all.mapValues(LogValue.init), time: Date().formatted(Self.time))
        // Each line goes out by one call, so that those of two threads don't mix.
        CommandOutput.log(line)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
}

/// What a line of the log says.
private struct LogLine: Encodable {
    let label: String
    let level: String
    let message: String
    let metadata: [String: LogValue]
    let time: String
}

/// A value of metadata: text, or those within it.
private enum LogValue: Encodable {
    case text(String)
    case list([LogValue])
    case object([String: LogValue])

    init(_ value: Logger.MetadataValue) {
        self =
            switch value {
            case .string(let text): .text(text)
            case .stringConvertible(let value): .text("\(value)")
            case .array(let values): .list(values.map(LogValue.init))
            case .dictionary(let values): .object(values.mapValues(LogValue.init))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// Logs to standard error, one line of text for each event, of which nothing does anything to a terminal.
///
/// What another program answered may be in it, such as the cause that etcd gives.
struct TextLogHandler: LogHandler {
    private var lines: StreamLogHandler

    /// - Parameter label: What logs.
    init(label: String) { lines = StreamLogHandler.standardError(label: label) }

    var logLevel: Logger.Level {
        get { lines.logLevel }
        set { lines.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { lines.metadata }
        set { lines.metadata = newValue.mapValues(Self.harmless) }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { lines.metadataProvider }
        set { lines.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { lines[metadataKey: key] }
        set { lines[metadataKey: key] = newValue.map(Self.harmless) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(Terminal.line(event.message.description))"
        event.metadata = event.metadata?.mapValues(Self.harmless)
        if let error = event.error {
            let told: Logger.Metadata = [
                "error.message": .string(Terminal.line("\(error)")),
                "error.type": .string(String(reflecting: type(of: error))),
            ]
            event.metadata = (event.metadata ?? [:]).merging(told) { stated, _ in stated }
            event.error = nil
        }
        lines.log(event: event)
    }

    private static func harmless(_ value: Logger.MetadataValue) -> Logger.MetadataValue {
        switch value {
        case .string(let text): .string(Terminal.line(text))
        case .stringConvertible(let value): .string(Terminal.line("\(value)"))
        case .array(let values): .array(values.map(harmless))
        case .dictionary(let values): .dictionary(values.mapValues(harmless))
        }
    }
}
