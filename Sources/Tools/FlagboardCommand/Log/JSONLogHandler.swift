import Foundation
import Logging

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
