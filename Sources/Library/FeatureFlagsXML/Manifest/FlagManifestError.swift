/// Why a manifest can't be used: one sentence for each thing that is wrong with it.
///
/// ```swift
/// do {
///     _ = try FlagManifest(document: PropertyListDocument(root: ["version": 2]))
/// } catch let error as FlagManifestError {
///     print(error)  // every problem, with its line
/// }
/// ```
public struct FlagManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that is wrong, and where.
    ///
    /// ```swift
    /// do {
    ///     _ = try FlagManifest(document: PropertyListDocument(root: ["version": 2]))
    /// } catch let error as FlagManifestError {
    ///     for problem in error.problems { print(problem.subject ?? "the manifest", problem.field ?? "", problem.reason) }
    /// }
    /// ```
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The flag or group, such as `checkout/limit`, or `flags[3]` where its key can't be read; `nil` for the root.
        public let subject: String?
        /// The field of it.
        public let field: String?
        /// Where the field's value, or what should hold it, stands in the file.
        public let location: SourceLocation?
        /// What is wrong, and what would be right.
        public let reason: String
        /// The steps to what is wrong, or to what should hold it.
        package internal(set) var path: [PathStep] = []
        /// Whether it is that another definition has the same key.
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
    }

    private let cause: Cause

    init(_ error: PropertyListError) {
        cause = .unreadable(error)
    }

    init(_ problems: [Problem], untold: Int) {
        cause = .invalid(problems.sorted { $0.place < $1.place }, untold: untold)
    }

    /// What is wrong with definitions, in the file's order; empty where the file is no property list at all.
    ///
    /// Of a file with very many problems, the first 50 that were found.
    public var problems: [Problem] {
        if case .invalid(let problems, _) = cause { problems } else { [] }
    }

    /// How many problems were found besides ``problems``.
    package var untold: Int {
        if case .invalid(_, let untold) = cause { untold } else { 0 }
    }

    /// Every problem, a line each.
    public var description: String {
        switch cause {
        case .unreadable(let error): error.description
        case .invalid(let problems, let untold):
            (problems.map(\.description) + (untold == 0 ? [] : ["… and \(untold) more problems"])).joined(
                separator: "\n")
        }
    }
}
