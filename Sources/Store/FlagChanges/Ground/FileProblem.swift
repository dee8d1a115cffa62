import DurableFiles
import FeatureFlagsXML
import Foundation

/// The reason why a file can't be used, or nothing can be changed.
///
/// File contents may be internal, so readers and the operator get different texts.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Names the file or the source before the problem: `Can't read flags.xml: `.
    private let lead: String
    /// The file's provider; `nil` for the manifest, or if nothing can be changed.
    package internal(set) var provider: String?
    /// The followed source at fault; `nil` for the file itself.
    package let source: String?
    /// The problem and the remedy, without file contents.
    let outline: String
    /// The problem and the remedy, with file contents.
    let fault: String
    /// False if the file can't be read at all.
    let isContentAtFault: Bool
    private(set) var isMissing = false
    /// It isn't over by itself.
    package private(set) var isLasting = false

    init(
        _ outline: String, fault: String? = nil, in file: URL? = nil, of source: String? = nil,
        action: String = "read", isContentAtFault: Bool = true, isLasting: Bool = false
    ) {
        lead = (source ?? file?.lastPathComponent).map { "Can't \(action) \($0): " } ?? ""
        self.source = source
        self.isContentAtFault = isContentAtFault
        self.isLasting = isLasting
        self.outline = outline
        self.fault = fault ?? outline
    }

    /// The problem, place and remedy for every reader, without file contents.
    package var description: String { lead + outline }

    /// The full problem for the operator's log; may name internal flags and their values.
    package var detail: String { lead + fault }
}

extension FileProblem {
    static func missing(_ file: URL) -> FileProblem {
        var problem = FileProblem("the file is missing. Put it back.", in: file)
        problem.isMissing = true
        return problem
    }

    init(_ error: PropertyListError, in file: URL) {
        let parts = error.outline.split(separator: ";", maxSplits: 1)
        let place = error.location.map { " at \($0)" } ?? ""
        let remedy = parts.dropFirst().map { ";\($0)" }.joined()
        self.init("\(parts[0])\(place)\(remedy).", fault: "\(error.description).", in: file)
    }

    init(_ error: FlagManifestError, in file: URL) {
        let places = error.problems.map { problem in
            let field = problem.field.map { "invalid entry \($0)" } ?? "invalid entry"
            return "\(problem.location.map { "\($0): " } ?? "")\(field)"
        }
        let shown = places.prefix(3).joined(separator: "; ")
        let rest = places.count > 3 ? "; and \(places.count - 3) more" : ""
        self.init(
            "\(shown)\(rest). Fix the definitions. The log has the details.",
            fault: error.description, in: file)
    }

    init(_ error: FileAccessError, in file: URL) {
        let option = error.isTooLarge ? ", or increase the limit with --max-file-size" : ""
        self.init("\(error.clause)\(option).", in: file, action: error.action, isContentAtFault: false)
    }
}
