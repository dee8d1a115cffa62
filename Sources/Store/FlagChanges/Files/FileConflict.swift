import FeatureFlags
import FeatureFlagsXML
import Foundation

/// A conflict that a merge left in a values file or a manifest, and that is not settled yet: the file has the value of one version,
/// and a comment beside it that of the other one.
public struct FileConflict: Hashable, Sendable {
    /// The file.
    public let file: URL
    /// The provider whose file it is; `nil` for the manifest.
    public let provider: String?
    /// The flag, or the group.
    public let key: FlagKeyPath
    /// The flag, or the field of a definition, in words: `checkout/limit`, `checkout/limit description`.
    public let place: String
    /// The field of the flag's definition; `nil` for a value, and for all else in a manifest.
    public let field: String?
    /// Where the comment stands.
    public let location: SourceLocation
    /// What the file holds now; `nil` for nothing.
    public let ours: FlagValue?
    /// What the other version held; `nil` for nothing.
    public let theirs: FlagValue?
    /// Whether the comment still says what the other version held.
    public let isWhole: Bool

    /// Makes a conflict.
    public init(
        file: URL, provider: String?, key: FlagKeyPath, place: String, location: SourceLocation, ours: FlagValue?,
        theirs: FlagValue?, isWhole: Bool = true, field: String? = nil
    ) {
        (self.file, self.provider, self.key, self.place, self.location) = (file, provider, key, place, location)
        (self.ours, self.theirs, self.isWhole, self.field) = (ours, theirs, isWhole, field)
    }

    /// Tells of a conflict of a file.
    init(_ conflict: MarkedConflict, in document: PropertyListDocument, _ file: URL, provider: String?) {
        self.init(
            file: file, provider: provider, key: conflict.place.key, place: conflict.place.text,
            location: document.location(of: conflict), ours: document.value(at: conflict.place),
            theirs: conflict.sides?.theirs, isWhole: conflict.sides != nil,
            field: conflict.place.kind == .definition ? conflict.place.field : nil)
    }

    /// What is wrong and what to do, as a clause that quotes both versions and names no place.
    public var problem: String {
        let sides =
            isWhole
            ? "the file has \(Self.words(ours)), the other version \(Self.words(theirs))"
            : "the comment no longer holds the other version"
        return "a merge left a conflict: \(sides); choose one, and remove the comment"
    }

    /// Whether another one is the same, wherever it stands in the file by now.
    func isSame(as other: FileConflict) -> Bool {
        (file, place, ours, theirs, isWhole) == (other.file, other.place, other.ours, other.theirs, other.isWhole)
    }

    /// Whether it is of one of these flags, or of what is around or inside one.
    func touches(_ keys: Set<FlagKeyPath>) -> Bool { keys.contains { $0.isInside(key) || key.isInside($0) } }

    private static func words(_ value: FlagValue?) -> String { value?.briefDescription ?? "nothing" }
}

extension Workspace {
    /// The conflicts that merges left in the files, of internal flags too.
    var conflicts: [FileConflict] {
        let documents = values.compactMap { file in
            if case .success(let document) = file.content {
                (document, file.provider.url, Optional(file.provider.name))
            } else {
                nil
            }
        }
        let sound: FlagManifest? = if case .success(let manifest) = manifest.content { manifest } else { nil }
        return (documents + (sound.map { [($0.document, manifest.url, nil)] } ?? [])).flatMap {
            document, url, provider in
            document.conflicts.map { FileConflict($0, in: document, url, provider: provider) }
        }
    }

    /// The conflicts that may be shown: none of a flag that must not appear, or of what is around or inside it.
    func conflicts(besides hidden: @autoclosure () -> Set<FlagKeyPath>) -> [FileConflict] {
        let conflicts = conflicts
        guard !conflicts.isEmpty else { return [] }
        let hidden = hidden()
        return conflicts.filter { !$0.touches(hidden) }
    }

    /// Tells the operator of conflicts that merges left.
    ///
    /// - Parameter log: Takes a line; internal flags are named.
    func tellConflicts(besides told: [FileConflict], _ log: (String) -> Void) {
        for conflict in conflicts where !told.contains(where: conflict.isSame) {
            log("\(conflict.file.lastPathComponent): \(conflict.location): \(conflict.place): \(conflict.problem)")
        }
    }
}
