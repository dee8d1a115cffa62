import FeatureFlags
import FeatureFlagsXML
import Flagboard
import Foundation

struct FlagChangesInCommits {
    struct Row {
        let commit: GitCommit
        let place: FlagPlace
        let before: FlagValue?
        let after: FlagValue?
    }

    private typealias Statements = [FlagPlace: FlagValue]

    private let key: FlagKeyPath?
    private let blobs: GitBlobs
    /// A commit's version before is the next, older commit's version after.
    private var last: (hash: String, statements: Statements?)?
    /// `true` until a commit has the flag.
    private(set) var isUnknown = true

    /// `nil` for all flags.
    init(of key: FlagKeyPath?, _ blobs: GitBlobs) {
        self.key = key
        self.blobs = blobs
    }

    /// Returns the changes of a commit, ordered by place.
    ///
    /// Each commit must be older than the one before. Unreadable content gives a warning and no changes.
    mutating func rows(_ commit: GitCommit, of file: String) throws -> [Row] {
        let after = try statements(commit.after, commit, file)
        let parents = try commit.before.reversed().map { try statements($0, commit, file) }
        guard let after, let before = parents.last ?? nil else { return [] }
        let places = Set(before.keys).union(after.keys).filter { place in
            // A merge didn't change what it has from a parent.
            parents.allSatisfy { $0.map { $0[place] != after[place] } ?? true }
        }
        return places.sorted().map { Row(commit: commit, place: $0, before: before[$0], after: after[$0]) }
    }

    /// Looks in the newest readable version.
    func likelyKey(_ key: String, in commits: [GitCommit]) throws -> String? {
        for hash in commits.lazy.compactMap(\.after) {
            guard case .success(let document) = Self.document(try blobs.content(hash)) else { continue }
            return LikelyName(key).nearest(in: Set(document.statements.map(\.place.key.text)))
        }
        return nil
    }

    private static func document(_ content: Data) -> Result<PropertyListDocument, PropertyListError> {
        Result { () throws(PropertyListError) in
            content.isEmpty ? .empty() : try PropertyListDocument(source: content)
        }
    }

    private mutating func statements(_ hash: String?, _ commit: GitCommit, _ file: String) throws -> Statements? {
        guard let hash else { return [:] }
        if let last, last.hash == hash { return last.statements }
        var found: Statements?
        switch Self.document(try blobs.content(hash)) {
        case .success(let document):
            let statements = key.map(document.statements(inside:)) ?? document.statements
            found = Dictionary(statements.map { ($0.place, $0.value) }, uniquingKeysWith: { first, _ in first })
            isUnknown = isUnknown && statements.isEmpty
        case .failure(let error):
            CommandOutput.warn(
                "\(commit.shortHash): can't read \(file) in this commit, so its changes to or from this version are "
                    + "not listed: \(error)")
        }
        last = (hash, found)
        return found
    }
}

extension FlagChangesInCommits.Row {
    var line: String {
        let (before, after) = ValueWords.pair(before, after, absence: place.absence)
        let change = "\(ValueWords.text(place.text)): \(before) → \(after)"
        let time = commit.date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
        return [commit.shortHash, time, ValueWords.text(commit.author), change, ValueWords.text(commit.subject)]
            .joined(separator: "  ")
    }

    var json: JSONValue {
        func text(_ text: String) -> JSONValue { .scalar(.string(text)) }
        return .object([
            "commit": text(commit.hash), "author": text(commit.author), "email": text(commit.email),
            "date": text(commit.date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))),
            "subject": text(commit.subject), "kind": text("\(place.kind)"), "key": text(place.key.text),
            "field": place.field.map(text) ?? .null, "before": before.map(JSONValue.init) ?? .null,
            "after": after.map(JSONValue.init) ?? .null,
        ])
    }
}
