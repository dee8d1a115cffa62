import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@testable import FlagChanges

@Suite("The rules by which a team has its flags checked")
struct LintRulesTests {
    @Test(
        "They are JSON or a property list, and what they say nothing about is as usual",
        arguments: [
            #"  {"missing-owner": "error", "wrong-type": "warning", "expired-flag": "off"}"#,
            Project.plist(
                "<key>missing-owner</key><string>error</string><key>wrong-type</key><string>warning</string>"
                    + "<key>expired-flag</key><string>off</string>"),
        ])
    func read(_ text: String) throws {
        let rules = try LintRules(source: Data(text.utf8))
        #expect(rules.severity(of: .missingOwner) == .error)
        #expect(rules.severity(of: .wrongType) == .warning)
        #expect(rules.severity(of: .expiredFlag) == nil)
        #expect(rules.severity(of: .undefinedValue) == .warning)
        #expect(rules.severity(of: .missingTags) == nil)
    }

    @Test(
        "What can't be is refused with the rule and with what would be right",
        arguments: [
            (#"{"missing-ownr": "error"}"#, "\"missing-ownr\" is not a rule; did you mean missing-owner?"),
            (#"{"zzz": "error"}"#, "available rules: unreadable-file, malformed-file"),
            (#"{"wrong-type": "fatal"}"#, "wrong-type: found string \"fatal\", expected error, warning or off"),
            (#"{"wrong-type": true}"#, "wrong-type: found boolean true, expected error, warning or off"),
            (#"{"malformed-file": "off"}"#, "malformed-file is always an error"),
            (#"{"duplicate-key": "warning"}"#, "duplicate-key is always an error"),
            (#"{"wrong-type": "off", "wrong-type": "error"}"#, "wrong-type"),
            (#"["wrong-type"]"#, "expected a dictionary"),
            ("", "the text is empty"),
            ("<plist><dict><key>a</key></dict></plist>", "has no value"),
        ])
    func refused(_ text: String, _ words: String) {
        #expect {
            try LintRules(source: Data(text.utf8))
        } throws: { error in
            (error as? PlainError)?.description.contains(words) == true
        }
    }

    @Test("A rule that is always an error may be said to be one")
    func repeated() throws {
        #expect(
            try LintRules(source: Data(#"{"malformed-file": "error"}"#.utf8)).severity(of: .malformedFile) == .error)
    }

    @Test("A file of rules that is not there is refused with the cause")
    func missing() {
        #expect {
            try LintRules(contentsOf: URL(filePath: "/nowhere/rules.json"))
        } throws: { error in
            (error as? PlainError)?.description == "the file doesn't exist; check the path"
        }
    }

    @Test("Each code is in small letters with hyphens, and each rule says what it finds")
    func codes() {
        for rule in LintRule.allCases {
            #expect(rule.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(rule.summary.hasSuffix("."))
            #expect(!rule.isFixed || rule.usualSeverity == .error)
        }
    }
}
