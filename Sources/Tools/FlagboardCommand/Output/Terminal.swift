import Flagboard
import Foundation

struct Terminal: Sendable {
    /// `true` on a terminal, unless `NO_COLOR` (no-color.org) is set.
    let isColoured: Bool

    static var standardOutput: Terminal {
        let variables = ProcessInfo.processInfo.environment
        let isPlain = variables["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Terminal(isColoured: isatty(STDOUT_FILENO) == 1 && !isPlain && variables["TERM"] != "dumb")
    }

    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    func dim(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Escapes terminal controls in a sentence of a page or the API.
    ///
    /// Bidirectional isolates around quoted values are for browsers, and are removed.
    static func message(_ text: String) -> String { line(text.withoutIsolates) }

    /// Escapes terminal controls, except line ends.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { message(String($0)) }
            .joined(separator: "\n")
    }

    /// Escapes terminal controls.
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

    /// For example `1 file`, `2 files`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

struct TextTable {
    private let rows: [[String]]

    init(_ rows: [[String]]) { self.rows = rows }

    var lines: [String] {
        guard let first = rows.first else { return [] }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").replacing(/\ +$/, with: "")
        }
    }
}
