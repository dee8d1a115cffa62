import ArgumentParser
import DurableFiles
import Foundation
import Logging

enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, json
}

struct LogSettings: Sendable {
    var format = LogFormat.text
    var level = Logger.Level.warning

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

    /// Reports a failure in the log if that is JSON, else as commands do.
    func tell(_ failure: PlainError) {
        switch format {
        case .text: CommandOutput.warn(failure.description)
        case .json: logger.critical("\(failure.description)")
        }
    }
}

extension Logger {
    static var ofCommand: Logger { LogSettings().logger }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// Writes one JSON object a line to standard error.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let label: String

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
        // One call writes each line, so that threads don't mix theirs.
        CommandOutput.log(line)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
}

private struct LogLine: Encodable {
    let label: String
    let level: String
    let message: String
    let metadata: [String: LogValue]
    let time: String
}

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

/// Writes one line for each event to standard error, with terminal controls escaped.
///
/// Other programs' answers may be in it, such as an error of etcd.
struct TextLogHandler: LogHandler {
    private var lines: StreamLogHandler

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
