import FeatureFlags
import FeatureFlagsXML
import Foundation

struct LintedManifest {
    let url: URL
    /// The content; `nil` if missing or invalid.
    let content: FlagManifest?
    let document: PropertyListDocument?
    let isThere: Bool
    /// True if no flag is internal.
    let letsValuesBeQuoted: Bool

    init(_ files: FlagFiles, showsInternal: Bool, _ found: inout LintFindings) {
        url = files.manifest
        let file = LintedFile(
            url, upTo: files.maximumFileSize, isNeeded: files.requiresManifest, isQuoted: showsInternal, &found)
        document = file.document
        guard case .sound(let document) = file else {
            content = nil
            if case .absent = file { isThere = false } else { isThere = true }
            letsValuesBeQuoted = showsInternal || !isThere
            return
        }
        isThere = true
        let internals = StatedInternals(document)
        // A broken part may be the definition of an internal flag.
        letsValuesBeQuoted = showsInternal || (internals.places.isEmpty && document.brokenValues.isEmpty)
        do throws(FlagManifestError) {
            content = try FlagManifest(document: document)
        } catch {
            content = nil
            for problem in error.problems {
                Self.add(problem, in: url, document, hiding: showsInternal ? nil : internals, &found)
            }
            if error.untold > 0 {
                found.add(
                    .invalidDefinition, in: url, at: nil,
                    "\(error.untold) more problems are not shown; fix these first")
            }
        }
    }

    /// Returns false for an internal flag, or if the internal flags aren't known.
    func letsBeNamed(_ conflict: FileConflict) -> Bool {
        letsValuesBeQuoted || content.map { !conflict.touches($0.content.internalKeys) } ?? false
    }

    private static func add(
        _ problem: FlagManifestError.Problem, in url: URL, _ document: PropertyListDocument,
        hiding internals: StatedInternals?, _ found: inout LintFindings
    ) {
        let rule: LintRule =
            if problem.isRepetition {
                .duplicateDefinition
            } else {
                problem.field == ManifestField.default.rawValue ? .invalidDefault : .invalidDefinition
            }
        if let internals, internals.concern(problem) {
            let what = problem.field.map { "entry \($0) is" } ?? "this is"
            found.add(rule, in: url, at: problem.location, "\(what) invalid (use --show-internal for details)")
            return
        }
        guard let subject = problem.subject else {
            return found.add(rule, in: url, at: problem.location, field: problem.field, problem.reason)
        }
        if let key = document.storedKey(at: problem.path), key.text == subject {
            found.add(rule, in: url, at: problem.location, of: key, field: problem.field, problem.reason)
        } else {
            let field = [subject, problem.field].compactMap(\.self).joined(separator: ", ")
            found.add(rule, in: url, at: problem.location, field: field, problem.reason)
        }
    }
}

private struct StatedInternals {
    /// The indices of their definitions.
    private(set) var places: Set<Int> = []
    private var keys: [String] = []

    init(_ document: PropertyListDocument) {
        guard case .array(let entries)? = document.value(of: [.key(ManifestField.flags.rawValue)]) else { return }
        for (place, entry) in entries.enumerated() {
            // A text instead of a boolean counts as true.
            guard case .dictionary(let fields) = entry, let isInternal = fields[ManifestField.isInternal.rawValue],
                isInternal != .bool(false)
            else { continue }
            places.insert(place)
            if case .string(let key)? = fields[ManifestField.key.rawValue], !key.isEmpty { keys.append(key) }
        }
    }

    func concern(_ problem: FlagManifestError.Problem) -> Bool {
        if problem.path.first == .key(ManifestField.flags.rawValue), problem.path.count > 1,
            case .index(let place) = problem.path[1], places.contains(place)
        {
            return true
        }
        return keys.contains { key in
            problem.reason.contains(key) || problem.subject?.contains(key) == true
        }
    }
}

extension PropertyListDocument {
    fileprivate func storedKey(at path: [PathStep]) -> FlagKeyPath? {
        guard path.count > 1,
            case .string(let text)? = value(of: path.prefix(2) + [.key(ManifestField.key.rawValue)])
        else { return nil }
        return text.isEmpty ? nil : FlagKeyPath(text: text)
    }
}
