/// The problems of an invalid manifest, one sentence each.
///
/// ```swift
/// do {
///     _ = try FlagManifest(document: PropertyListDocument(root: ["version": 2]))
/// } catch let error as FlagManifestError {
///     print(error)  // every problem, with its line
/// }
/// ```
public struct FlagManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A problem and its place.
    ///
    /// ```swift
    /// do {
    ///     _ = try FlagManifest(document: PropertyListDocument(root: ["version": 2]))
    /// } catch let error as FlagManifestError {
    ///     for problem in error.problems { print(problem.subject ?? "the manifest", problem.field ?? "",
    ///     problem.reason) }
    /// }
    /// ```
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The flag or group, such as `checkout/limit`, or `flags[3]` if its key is unreadable; `nil` for the root.
        public let subject: String?
        /// The field of the subject.
        public let field: String?
        /// The place of the field's value, or of the element that should hold it.
        public let location: SourceLocation?
        /// The problem and its remedy.
        public let reason: String
        /// The steps to the value, or to the element that should hold it.
        package internal(set) var path: [PathStep] = []
        package internal(set) var isRepetition = false

        fileprivate var place: (line: Int, column: Int) { (location?.line ?? 0, location?.column ?? 0) }

        /// The problem as a line of text.
        public var description: String {
            let place = location.map { "line \($0.line), column \($0.column): " } ?? ""
            let what = [subject, field].compactMap(\.self).joined(separator: ", ")
            return place + (what.isEmpty ? "" : "\(what): ") + reason
        }
    }

    private enum Cause: Hashable {
        case unreadable(PropertyListError)
        case invalid([Problem], untold: Int)
        case refusedEdit(PropertyListEditError)
    }

    private let cause: Cause

    init(_ error: PropertyListError) {
        cause = .unreadable(error)
    }

    init(_ error: PropertyListEditError) {
        cause = .refusedEdit(error)
    }

    init(_ problems: [Problem], untold: Int) {
        cause = .invalid(problems.sorted { $0.place < $1.place }, untold: untold)
    }

    /// The problems in the order of the file; empty if the file is not a property list.
    ///
    /// At most the first 50 that were found.
    public var problems: [Problem] {
        if case .invalid(let problems, _) = cause { problems } else { [] }
    }

    /// The reason that the property list refused an edit of the manifest.
    package var refusedEdit: PropertyListEditError? {
        if case .refusedEdit(let error) = cause { error } else { nil }
    }

    /// The number of problems beyond ``problems``.
    package var untold: Int {
        if case .invalid(_, let untold) = cause { untold } else { 0 }
    }

    /// The problems, one per line, or the reason of a refused edit.
    public var description: String {
        switch cause {
        case .unreadable(let error): error.description
        case .refusedEdit(let error): error.description
        case .invalid(let problems, let untold):
            (problems.map(\.description) + (untold == 0 ? [] : ["… and \(untold) more problems"])).joined(
                separator: "\n")
        }
    }
}
