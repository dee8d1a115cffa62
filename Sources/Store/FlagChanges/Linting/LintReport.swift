import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The problems in values files and their manifest.
///
/// Files are only read, without locks or history, so a server may have them open. Internal flags are not named.
package struct LintReport: Sendable {
    /// The findings, by file and location.
    package let findings: [LintFinding]
    /// The values files, and the manifest if there is one.
    package let files: [URL]
    /// False if values are only checked for readability.
    package let hasManifest: Bool

    package init(_ files: FlagFiles, rules: LintRules = LintRules(), showsInternal: Bool = false, now: Date) {
        var found = LintFindings(rules)
        let manifest = LintedManifest(files, showsInternal: showsInternal, &found)
        let values = files.providers.map { provider in
            let file = LintedFile(
                provider.url, upTo: files.maximumFileSize, isNeeded: true, isQuoted: manifest.letsValuesBeQuoted, &found
            )
            return (provider, file.document)
        }
        let defaults = files.defaults.map { file in
            (file, Self.provider(of: file, upTo: files.maximumFileSize, isQuoted: manifest.letsValuesBeQuoted, &found))
        }
        for (provider, document) in values { Self.addConflicts(of: document, provider.url, manifest, &found) }
        Self.addConflicts(of: manifest.document, manifest.url, manifest, &found)
        if let content = manifest.content {
            FlagChecks(content, manifest.url, values, defaults, showsInternal: showsInternal, now: now).run(&found)
        } else {
            for (provider, document) in values {
                document.map { Self.addBroken($0, in: provider.url, isQuoted: manifest.letsValuesBeQuoted, &found) }
            }
            for (file, provider) in defaults {
                for (key, problem) in (provider?.broken ?? [:]).sorted(by: { $0.key < $1.key }) {
                    let isQuoted = manifest.letsValuesBeQuoted
                    found.add(
                        .wrongType, in: file.url, at: nil, of: isQuoted ? key : nil,
                        isQuoted ? problem.description : Self.unquotedMismatch)
                }
            }
        }
        hasManifest = manifest.isThere
        let valuesFiles = files.providers.map(\.url) + files.defaults.map(\.url)
        self.files = valuesFiles + (hasManifest ? [manifest.url] : [])
        findings = Self.sorted(found.all, valuesFiles + [manifest.url])
    }

    /// Returns the values of a property list of `UserDefaults`; `nil` if it can't be read, which is then a finding.
    private static func provider(
        of file: DefaultsFile, upTo maximumSize: Int, isQuoted: Bool, _ found: inout LintFindings
    ) -> AppProvider? {
        switch LintedFile(
            file.url, upTo: maximumSize, isNeeded: true, isQuoted: isQuoted, takesBinary: true, &found)
        {
        case .absent, .broken: return nil
        case .sound, .binary: break
        }
        let provider = file.read(known: nil, upTo: maximumSize).provider
        guard let problem = provider.problem else { return provider }
        let isTold = isQuoted || problem.fault == problem.outline
        found.add(
            .malformedFile, in: file.url, at: nil,
            isTold
                ? problem.fault.withoutFullStop
                : "\(problem.outline.withoutFullStop) (use --show-internal for details)")
        return nil
    }

    /// The message of a broken value that may be of an internal flag.
    private static let unquotedMismatch = "the content of this element doesn't match its type; correct it"

    /// Adds unreadable values of all flags.
    private static func addBroken(
        _ document: PropertyListDocument, in url: URL, isQuoted: Bool, _ found: inout LintFindings
    ) {
        for (path, value) in document.brokenValues where !value.kind.isRepeatedKey {
            let names = path.prefix { if case .key = $0 { true } else { false } }
            let components = names.compactMap { if case .key(let name) = $0 { name } else { nil } }
            found.add(
                .wrongType, in: url, at: document.location(of: path),
                of: isQuoted && !components.isEmpty ? FlagKeyPath(components: components) : nil,
                isQuoted ? value.problem : unquotedMismatch)
        }
    }

    private static func addConflicts(
        of document: PropertyListDocument?, _ url: URL, _ manifest: LintedManifest, _ found: inout LintFindings
    ) {
        guard let document else { return }
        for marked in document.conflicts {
            let conflict = FileConflict(marked, in: document, url, provider: nil)
            if manifest.letsBeNamed(conflict) {
                found.add(
                    .mergeConflict, in: url, at: conflict.location, of: conflict.key, field: marked.place.field,
                    conflict.problem)
            } else {
                found.add(
                    .mergeConflict, in: url, at: conflict.location,
                    "unresolved merge conflict (use --show-internal for details)")
            }
        }
    }

    package func count(of severity: LintSeverity) -> Int { findings.count { $0.severity == severity } }

    private static func sorted(_ findings: [LintFinding], _ files: [URL]) -> [LintFinding] {
        let places = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let rules = Dictionary(uniqueKeysWithValues: LintRule.allCases.enumerated().map { ($1, $0) })
        return findings.map { finding in
            let rank = [
                places[finding.file] ?? 0, finding.location?.line ?? 0, finding.location?.column ?? 0,
                rules[finding.rule] ?? 0,
            ]
            return (rank, finding)
        }
        .sorted { left, right in
            left.0 == right.0 ? left.1.message < right.1.message : left.0.lexicographicallyPrecedes(right.0)
        }
        .map(\.1)
    }
}
