import Foundation

/// What standard output is shown on.
struct Terminal: Sendable {
    /// Whether colours are wanted: on a terminal, where `NO_COLOR` (no-color.org) is not set.
    let isColoured: Bool

    /// The standard output of this process.
    static var standardOutput: Terminal {
        let variables = ProcessInfo.processInfo.environment
        let isPlain = variables["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Terminal(isColoured: isatty(STDOUT_FILENO) == 1 && !isPlain && variables["TERM"] != "dumb")
    }

    /// A text in bold, where that can be shown.
    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// A text that stands back, where that can be shown.
    func dim(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// A sentence of a page or the API as one line that does nothing to a terminal.
    ///
    /// The marks that keep a quoted value from turning the sentence around are for browsers: no terminal heeds them.
    static func message(_ text: String) -> String { line(text.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }) }

    /// A text, with what a file holds in it, that does nothing to a terminal but end lines.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { message(String($0)) }
            .joined(separator: "\n")
    }

    /// A text from a file as one line that does nothing to a terminal.
    static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                    line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default: line.unicodeScalars.append(scalar)
                }
            }
        }
        return line
    }
}

/// Lines whose columns stand below one another.
struct TextTable {
    private let rows: [[String]]

    /// - Parameter rows: The cells of each row, all of as many.
    init(_ rows: [[String]]) { self.rows = rows }

    /// The lines.
    var lines: [String] {
        guard let first = rows.first else { return [] }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").replacing(/\ +$/, with: "")
        }
    }
}
