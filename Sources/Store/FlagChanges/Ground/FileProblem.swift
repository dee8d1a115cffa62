import DurableFiles
import FeatureFlagsXML
import Foundation

/// The reason why a file can't be used, or nothing can be changed.
///
/// File contents may be internal, so readers and the operator get different texts.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    private let file: URL?
    /// The file's provider; `nil` for the manifest, or if nothing can be changed.
    package internal(set) var provider: String?
    /// The problem and the remedy, without file contents.
    let outline: String
    /// The problem and the remedy, with file contents.
    let fault: String
    /// False if the file can't be read at all.
    let isContentAtFault: Bool

    init(_ outline: String, fault: String? = nil, in file: URL? = nil, isContentAtFault: Bool = true) {
        self.file = file
        self.isContentAtFault = isContentAtFault
        self.outline = outline
        self.fault = fault ?? outline
    }

    /// The problem, place and remedy for every reader, without file contents.
    package var description: String { place + outline }

    /// The full problem for the operator's log; may name internal flags and their values.
    package var detail: String { place + fault }

    private var place: String { file.map { "\($0.lastPathComponent): " } ?? "" }
}

extension FileProblem {
    init(_ error: PropertyListError, in file: URL) {
        self.init(
            "\(error.location.map { "\($0): " } ?? "")\(error.outline).", fault: "\(error.description).", in: file)
    }

    init(_ error: FlagManifestError, in file: URL) {
        let places = error.problems.map { problem in
            let field = problem.field.map { "the entry \($0) is not valid" } ?? "this is not valid"
            return "\(problem.location.map { "\($0): " } ?? "")\(field)"
        }
        let shown = places.prefix(3).joined(separator: "; ")
        let rest = places.count > 3 ? "; and \(places.count - 3) more" : ""
        self.init(
            "\(shown)\(rest). Correct the definitions; the log says what is wrong with them.",
            fault: error.description, in: file)
    }

    init(_ error: FileAccessError, in file: URL) {
        let option = error.isTooLarge ? ", or allow more with --max-file-size" : ""
        self.init("\(error.unnamedDescription)\(option).", in: file, isContentAtFault: false)
    }
}
