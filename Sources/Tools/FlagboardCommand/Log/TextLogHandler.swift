import Logging

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
