import DurableFiles
import FeatureFlagsXML
import Foundation

/// Why a file can't be used, or nothing can be changed.
///
/// What a file holds may be internal, so there are two texts: one for every reader and one for the operator alone.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file that it is about, where ``outline`` and ``fault`` don't name one.
    private let file: URL?
    /// The provider whose file it is; `nil` where it is the manifest, or nothing can be changed at all.
    public internal(set) var provider: String?
    /// What is wrong and what to do, without anything that a file holds.
    let outline: String
    /// What is wrong and what to do, with what the file holds.
    let fault: String
    /// Whether the file can be read, and what it holds is at fault.
    let isContentAtFault: Bool

    init(_ outline: String, fault: String? = nil, in file: URL? = nil, isContentAtFault: Bool = true) {
        self.file = file
        self.isContentAtFault = isContentAtFault
        self.outline = outline
        self.fault = fault ?? outline
    }

    /// What is wrong, where, and what to do, for every reader: nothing that a file holds is quoted.
    public var description: String { place + outline }

    /// What is wrong in full, for the operator's log: it may name internal flags and their values.
    public var detail: String { place + fault }

    private var place: String { file.map { "\($0.lastPathComponent): " } ?? "" }
}

extension FileProblem {
    /// A file that is no property list.
    init(_ error: PropertyListError, in file: URL) {
        self.init(
            "\(error.location.map { "\($0): " } ?? "")\(error.outline).", fault: "\(error.description).", in: file)
    }

    /// A manifest whose definitions are not valid.
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

    /// A file that can't be read.
    init(_ error: FileAccessError, in file: URL) {
        let option = error.isTooLarge ? ", or allow more with --max-file-size" : ""
        self.init("\(error.unnamedDescription)\(option).", in: file, isContentAtFault: false)
    }
}
