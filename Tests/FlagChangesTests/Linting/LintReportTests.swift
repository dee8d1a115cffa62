import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@testable import FlagChanges

/// A finding as a line: where, how bad, which rule, of what.
private func line(_ finding: LintFinding) -> String {
    let place = finding.location.map { "\($0.line):\($0.column)" } ?? "-"
    return "\(finding.file.lastPathComponent) \(place) \(finding.severity) \(finding.rule.rawValue) "
        + (finding.key?.text ?? "-")
}

private func report(
    _ project: Project, _ rules: String = "{}", showsInternal: Bool = false, others: [FlagFiles.Provider] = [],
    manifest: URL? = nil
) throws -> LintReport {
    LintReport(
        FlagFiles(values: project.file, manifest: manifest, others: others),
        rules: try LintRules(source: Data(rules.utf8)), showsInternal: showsInternal, now: Project.now)
}

@Suite("What is wrong with a values file and its manifest")
struct LintReportTests {
    /// What a file and its manifest hold, and what there is to find.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var values = ""
        var flags: [(String, String, String)] = []
        var rules = "{}"
        let found: [String]
        var says = ""
    }

    private static let conflict =
        "\n<!-- conflict: a\n<<<<<<< ours, which the file holds\n<true/>\n||||||| base\nno value\n=======\n<false/>\n>>>>>>> theirs\n-->"

    static let cases = [
        Case(
            testDescription: "a conflict that a merge left, whatever the rules are",
            values: "<key>a</key><true/>\(conflict)", flags: [("a", "bool", "")],
            rules: "{\"undefined-value\": \"off\"}", found: ["flags.xml 4:1 error merge-conflict a"],
            says: "a: unresolved merge conflict: the file has boolean true, the other version boolean false. Choose one"
        ),
        Case(
            testDescription: "a conflict of an internal flag, which is not named",
            values: "<key>a</key><true/>\(conflict)", flags: [("a", "bool", "<key>isInternal</key><true/>")],
            found: ["flags.xml 4:1 error merge-conflict -"], says: "unresolved merge conflict"),
        Case(
            testDescription: "a conflict of a definition",
            values: "<key>a</key><true/>",
            flags: [("a", "bool", "<key>owner</key><string>x</string>\(conflict.replacing(": a", with: ": a owner"))")],
            found: ["flags.manifest.xml 4:1 error merge-conflict a"], says: "a, owner: unresolved merge conflict"),
        Case(
            testDescription: "sound values", values: "<key>a</key><true/>\n<key>b</key><integer>3</integer>",
            flags: [("a", "bool", ""), ("b", "integer", "<key>maximum</key><integer>3</integer>")], found: []),
        Case(
            testDescription: "a value of another type", values: "<key>a</key>\n<string>x</string>",
            flags: [("a", "integer", "")], found: ["flags.xml 4:1 error wrong-type a"],
            says: "a: found string \"x\", expected a whole number"),
        Case(
            testDescription: "a text that is no URL", values: "<key>a</key><string>a b</string>",
            flags: [("a", "url", "<key>pattern</key><string>https.*</string>")],
            found: ["flags.xml 3:13 error wrong-type a"], says: "must be a URL"),
        Case(
            testDescription: "a number out of bounds",
            values: "<key>g</key><dict>\n\t<key>a</key><integer>11</integer></dict>",
            flags: [("g/a", "integer", "<key>maximum</key><integer>10</integer>")],
            found: ["flags.xml 4:14 error broken-constraint g/a"], says: "11 is invalid: must be 10 or less"),
        Case(
            testDescription: "a number that the app's type has no room for",
            values: "<key>a</key><integer>300</integer>",
            flags: [("a", "integer", "<key>format</key><string>uint8</string>")],
            found: ["flags.xml 3:13 error broken-constraint a"], says: "255"),
        Case(
            testDescription: "an element of another type",
            values: "<key>a</key><array><integer>1</integer><string>x</string></array>",
            flags: [("a", "array", "<key>items</key><dict><key>type</key><string>integer</string></dict>")],
            found: ["flags.xml 3:13 error broken-constraint a"], says: "\"x\""),
        Case(
            testDescription: "JSON without a member that the app needs",
            values: "<key>a</key><dict><key>other</key><integer>1</integer></dict>",
            flags: [
                (
                    "a", "json",
                    "<key>properties</key><dict><key>size</key><dict><key>type</key><string>integer</string></dict></dict>"
                )
            ],
            found: ["flags.xml 3:13 error broken-constraint a"], says: "size"),
        Case(
            testDescription: "none of the choices", values: "<key>a</key><string>red</string>",
            flags: [("a", "choice", "<key>choices</key><array><string>blue</string></array>")],
            found: ["flags.xml 3:13 error broken-constraint a"], says: "must be one of"),
        Case(
            testDescription: "a text that does not match", values: "<key>a</key><string>red</string>",
            flags: [("a", "string", "<key>pattern</key><string>b.*</string>")],
            found: ["flags.xml 3:13 error broken-constraint a"], says: "must match the pattern b.*"),
        Case(
            testDescription: "a pattern that takes too long",
            values: "<key>a</key><string>\(String(repeating: "a", count: 60))b</string>",
            flags: [("a", "string", "<key>pattern</key><string>(a+)+$</string>")],
            found: ["flags.xml 3:13 warning unchecked-value a"], says: "is too slow"),
        Case(
            testDescription: "a group in a flag's place", values: "<key>a</key><dict><key>b</key><true/></dict>",
            flags: [("a", "bool", "")],
            found: ["flags.xml 3:13 error misplaced-value a"], says: "a is a group in the file"),
        Case(
            testDescription: "a value in a group's place", values: "<key>a</key><true/>", flags: [("a/b", "bool", "")],
            found: ["flags.xml 3:13 error misplaced-value a/b"], says: "not a <dict>"),
        Case(
            testDescription: "a value that nothing defines",
            values: "<key>a</key><true/>\n<key>g</key><dict><key>b</key><true/></dict>", flags: [("a", "bool", "")],
            found: ["flags.xml 4:31 warning undefined-value g/b"], says: "define the flag or remove the value"),
        Case(
            testDescription: "a key twice", values: "<key>a</key><true/>\n<key>a</key><false/>",
            flags: [("a", "bool", "")], found: ["flags.xml 4:1 error duplicate-key -"], says: "duplicate key \"a\""),
        Case(
            testDescription: "a file that ends too early", values: "<key>a</key><true/></dict>",
            flags: [("a", "bool", "")], found: ["flags.xml 4:1 error malformed-file -"]),
        Case(
            testDescription: "a flag past its day",
            flags: [("a", "bool", "\n<key>expires</key><date>2026-01-31T00:00:00Z</date>")],
            found: ["flags.manifest.xml 4:19 warning expired-flag a"], says: "expired on 2026-01-31;"),
        Case(
            testDescription: "a flag whose day is to come",
            flags: [("a", "bool", "<key>expires</key><date>2026-12-31T00:00:00Z</date>")], found: []),
        Case(
            testDescription: "a misspelled field", flags: [("a", "bool", "\n<key>islocked</key><true/>")],
            found: ["flags.manifest.xml 4:20 warning misspelled-field a"],
            says: "a, islocked: this field is unknown and has no effect: did you mean isLocked?"),
        Case(
            testDescription: "a field of one's own", flags: [("a", "bool", "\n<key>jira</key><true/>")],
            rules: #"{"unknown-field": "warning"}"#, found: ["flags.manifest.xml 4:16 warning unknown-field a"]),
        Case(
            testDescription: "a default out of bounds",
            flags: [("a", "integer", "\n<key>default</key><integer>0</integer><key>minimum</key><integer>1</integer>")],
            found: ["flags.manifest.xml 4:19 error invalid-default a"], says: "a, default: must be"),
        Case(
            testDescription: "a definition that can't be", values: "<key>a</key><string>unseen</string>",
            flags: [("a", "boolean", ""), ("b", "bool", "<key>order</key><true/>")],
            found: [
                "flags.manifest.xml 3:115 error invalid-definition a",
                "flags.manifest.xml 4:91 error invalid-definition b",
            ], says: "\"boolean\" is not a type"),
        Case(
            testDescription: "a flag defined twice", flags: [("a", "bool", ""), ("a", "bool", "")],
            found: ["flags.manifest.xml 4:21 error duplicate-definition a"], says: "duplicate definition"),
        Case(
            testDescription: "a definition without a key that can be read", flags: [("a~2", "bool", "")],
            found: ["flags.manifest.xml 3:82 error invalid-definition -"], says: "a~2, key: "),
        Case(
            testDescription: "a retired flag with a value", values: "<key>a</key><true/>",
            flags: [("a", "bool", "<key>retired</key><string>use b</string>"), ("b", "bool", "")],
            rules: #"{"retired-value": "error"}"#, found: ["flags.xml 3:13 error retired-value a"],
            says: "deprecated (use b)"),
        Case(
            testDescription: "what a team demands", values: "<key>a</key><true/>\n<key>c</key><true/>",
            flags: [
                ("a", "bool", ""),
                (
                    "b", "bool",
                    "<key>description</key><string>B.</string><key>owner</key><string>Ada</string>"
                        + "<key>expires</key><date>2027-01-01T00:00:00Z</date><key>tags</key><array><string>t</string></array>"
                ),
            ],
            rules: """
                {"missing-description": "error", "missing-owner": "warning", "missing-expiry": "error",
                 "missing-tags": "warning", "unused-definition": "warning", "undefined-value": "off"}
                """,
            found: [
                "flags.manifest.xml 3:62 error missing-description a",
                "flags.manifest.xml 3:62 warning missing-owner a",
                "flags.manifest.xml 3:62 error missing-expiry a", "flags.manifest.xml 3:62 warning missing-tags a",
                "flags.manifest.xml 4:1 warning unused-definition b",
            ]),
    ]

    @Test("Each is found at its place, and nothing else is", arguments: cases)
    func found(_ each: Case) throws {
        let project = try Project(values: Project.plist(each.values), manifest: Project.manifest(each.flags))
        let report = try report(project, each.rules)
        #expect(report.findings.map(line) == each.found)
        #expect(each.says.isEmpty || report.findings.contains { $0.message.contains(each.says) }, "\(report.findings)")
        #expect(report.count(of: .error) == each.found.count { $0.contains(" error ") })
    }

    @Test("Every rule is found by one of the cases, or by a test of files that can't be read")
    func complete() {
        let found = Set(Self.cases.flatMap(\.found).map { String($0.split(separator: " ")[3]) })
        #expect(Set(LintRule.allCases.map(\.rawValue)).subtracting(found) == ["unreadable-file"])
    }

    @Test("Without a manifest it is only told whether the values can be read")
    func noManifest() throws {
        let project = try Project(values: Project.plist("<key>a</key><true/>"), manifest: nil)
        let sound = try report(project)
        #expect(sound.findings == [] && !sound.hasManifest && sound.files.map(\.lastPathComponent) == ["flags.xml"])
        try project.write("<plist><dict><key>a</key></dict></plist>")
        #expect(try report(project).findings.map(line) == ["flags.xml 1:14 error malformed-file -"])
        let named = try report(project, manifest: project.folder.appending(path: "other.xml"))
        #expect(
            named.findings.map(line) == [
                "flags.xml 1:14 error malformed-file -", "other.xml - error unreadable-file -",
            ])
    }

    @Test("A file that is not there, or is none, is found, and the others are looked at all the same")
    func unreadable() throws {
        let project = try Project(
            values: nil, manifest: Project.manifest([("a", "bool", "<key>islocked</key><true/>")]))
        let missing = try report(project, #"{"unused-definition": "error"}"#)
        #expect(
            missing.findings.map(line) == [
                "flags.xml - error unreadable-file -", "flags.manifest.xml 3:155 warning misspelled-field a",
            ])
        try FileManager.default.createDirectory(at: project.file, withIntermediateDirectories: false)
        #expect(try report(project).findings.first?.message.contains("it is a folder") == true)
    }

    @Test("Each provider's file is looked at, and a value is of use in any of them")
    func providers() throws {
        let project = try Project(
            values: Project.plist("<key>a</key><string>x</string>"),
            manifest: Project.manifest([("a", "bool", ""), ("b", "bool", "")]))
        let team = project.folder.appending(path: "team.xml")
        try Data(Project.plist("<key>b</key><true/><key>c</key><true/>").utf8).write(to: team)
        let others = [FlagFiles.Provider(name: "Team", url: team, isWritable: false)]
        let report = try report(project, #"{"unused-definition": "error"}"#, others: others)
        #expect(
            report.findings.map(line) == [
                "flags.xml 3:13 error wrong-type a", "team.xml 3:32 warning undefined-value c",
            ])
        #expect(report.files.map(\.lastPathComponent) == ["flags.xml", "team.xml", "flags.manifest.xml"])
    }

    @Test("The folder is as it was: no history, no lock, no other file, and the same bytes and times")
    func untouched() throws {
        let project = try Project()
        func state() throws -> [String: [String]] {
            var state: [String: [String]] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: project.folder.path) {
                let url = project.folder.appending(path: name)
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
                state[name] = [
                    try Data(contentsOf: url).base64EncodedString(), "\(attributes[.modificationDate] ?? "")",
                    "\(attributes[.systemFileNumber] ?? "")",
                ]
            }
            return state
        }
        let before = try state()
        #expect(try !report(project).findings.isEmpty)
        #expect(try state() == before && before.keys.sorted() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("A report is the same while a service has the files")
    func served() async throws {
        let project = try Project()
        let before = try report(project)
        let service = try project.service()
        _ = try await service.overview()
        #expect(try report(project).findings == before.findings)
    }
}

@Suite("Internal flags in a report")
struct LintedInternalsTests {
    private let fault = "<key>isInternal</key><true/><key>owner</key><true/>"

    @Test("What is wrong with one is not told, unless it is asked for")
    func values() throws {
        let project = try Project(
            values: Project.plist("<key>secret</key><string>s3cr3t</string>"),
            manifest: Project.manifest([
                ("secret", "bool", "<key>isInternal</key><true/><key>tag</key><true/>"), ("a", "bool", ""),
            ]))
        let rules = #"{"missing-owner": "error", "unused-definition": "error"}"#
        #expect(
            try report(project, rules).findings.map(line) == [
                "flags.manifest.xml 4:1 error unused-definition a", "flags.manifest.xml 4:1 error missing-owner a",
            ])
        #expect(
            Set(
                try report(project, rules, showsInternal: true).findings.filter { $0.key?.text == "secret" }.map(\.rule)
            )
                == [.wrongType, .missingOwner, .misspelledField])
    }

    @Test(
        "A definition that is not valid is told by its place, and neither it nor what stands in it is named",
        arguments: [
            ("<key>isInternal</key><true/><key>owner</key><true/>", ""),
            ("<key>isInternal</key><string>yes</string>", ""),
            ("<key>isInternal</key><true/>", "secret/inner"),
        ])
    func definitions(_ fields: String, _ inner: String) throws {
        let flags = [("secret", "bool", fields), ("open", "bool", "")] + (inner.isEmpty ? [] : [(inner, "bool", "")])
        let project = try Project(values: Project.plist("<key>secret</key><true/>"), manifest: Project.manifest(flags))
        let report = try report(project)
        #expect(!report.findings.isEmpty)
        for finding in report.findings {
            #expect(finding.rule == .invalidDefinition && finding.location != nil && finding.key == nil)
            #expect(!finding.message.contains("secret") && finding.message.contains("--show-internal"), "\(finding)")
        }
        let shown = try FlagChangesTests.report(project, showsInternal: true)
        #expect(shown.findings.count == report.findings.count)
        #expect(shown.findings.allSatisfy { $0.key != nil })
    }

    @Test(
        "A values file that can't be read is quoted only where no flag is internal",
        arguments: [("", true), ("<key>isInternal</key><true/>", false), ("<key>isInternal</key><false/>", true)])
    func quoted(_ fields: String, _ isQuoted: Bool) throws {
        let project = try Project(
            values: Project.plist("<key>secret</key><true/><key>secret</key><true/>"),
            manifest: Project.manifest([("secret", "bool", fields)]))
        let finding = try #require(try report(project).findings.first)
        #expect(finding.rule == .duplicateKey && finding.location?.line == 3)
        #expect(finding.message.contains("\"secret\"") == isQuoted && finding.message.contains("line 3"))
        #expect(try report(project, showsInternal: true).findings[0].message.contains("\"secret\""))
    }

    @Test("Neither is a file quoted if a definition is broken, which may be an internal flag's")
    func brokenDefinition() throws {
        let project = try Project(
            values: Project.plist("<key>secret</key><true/><key>secret</key><true/>"),
            manifest: Project.plist(
                "<key>version</key><integer>1</integer><key>flags</key><array><Dict><key>key</key></Dict></array>"))
        let findings = try report(project).findings
        #expect(findings.contains { $0.rule == .duplicateKey })
        #expect(findings.allSatisfy { !$0.message.contains("secret") })
    }

    @Test("A manifest that can't be read at all may hold internal flags, so neither file is quoted")
    func unknown() throws {
        let twice = "<key>secret</key><true/><key>secret</key><true/>"
        let project = try Project(values: Project.plist(twice), manifest: Project.plist(twice))
        let findings = try report(project).findings
        #expect(findings.map(\.rule) == [.duplicateKey, .invalidDefinition, .duplicateKey])
        #expect(findings.allSatisfy { !$0.message.contains("secret") })
    }
}
