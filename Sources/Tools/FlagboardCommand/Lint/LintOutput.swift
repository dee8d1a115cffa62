import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

struct LintOutput {
    let report: LintReport
    private let folder: String

    init(_ report: LintReport, folder: String) {
        self.report = report
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    }

    /// Returns a file's path, from the current folder if possible.
    func path(of file: URL) -> String {
        let path = file.path(percentEncoded: false)
        return path.utf8.starts(with: folder.utf8)
            ? String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self) : path
    }

    var text: String {
        let lines = report.findings.map { finding in
            let place = finding.location.map { ":\($0.line):\($0.column)" } ?? ""
            return Self.line(
                "\(path(of: finding.file))\(place): \(finding.severity.rawValue): \(finding.message) "
                    + "[\(finding.rule.rawValue)]")
        }
        let files = Self.line(report.files.map(path(of:)).joined(separator: ", "))
        let errors = Terminal.count(report.count(of: .error), "error")
        let warnings = Terminal.count(report.count(of: .warning), "warning")
        return (lines + ["\(errors), \(warnings) in \(files)"]).joined(separator: "\n")
    }

    /// Names invisible characters.
    fileprivate static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnseen) else { return text }
        return text.unicodeScalars.map { isUnseen($0) ? "⟨\(UnicodeName.of($0))⟩" : String($0) }.joined()
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension LintOutput {
    struct Document: Encodable {
        let files: [String]
        let errors: Int
        let warnings: Int
        let findings: [Finding]
    }

    struct Finding: Encodable {
        let code: String
        let severity: String
        let file: String
        let line: Int?
        let column: Int?
        let key: String?
        let message: String
    }

    var document: Document {
        Document(
            files: report.files.map(path(of:)), errors: report.count(of: .error), warnings: report.count(of: .warning),
            findings: report.findings.map { finding in
                Finding(
                    code: finding.rule.rawValue, severity: finding.severity.rawValue, file: path(of: finding.file),
                    line: finding.location?.line, column: finding.location?.column, key: finding.key?.text,
                    message: finding.message)
            })
    }
}

extension LintOutput {
    /// A command of GitHub Actions for each finding, one a line.
    var annotations: String {
        report.findings.map { finding in
            var properties = [("file", path(of: finding.file))]
            if let location = finding.location {
                properties += [("line", "\(location.line)"), ("col", "\(location.column)")]
            }
            properties.append(("title", finding.rule.rawValue))
            let list = properties.map { "\($0)=\(Self.escaped($1, inProperty: true))" }.joined(separator: ",")
            return "::\(finding.severity.rawValue) \(list)::\(Self.escaped(finding.message, inProperty: false))\n"
        }.joined()
    }

    /// Escapes a text for the runner of GitHub Actions.
    private static func escaped(_ text: String, inProperty: Bool) -> String {
        var escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
        if inProperty { escapes.merge([":": "%3A", ",": "%2C"]) { $1 } }
        return line(text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())
    }
}
