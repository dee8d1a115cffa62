import FeatureFlags
import FeatureFlagsXML
import Foundation

/// An unsettled merge conflict: one version in the file, the other in a comment beside it.
package struct FileConflict: Hashable, Sendable {
    package let file: URL
    /// The file's provider; `nil` for the manifest.
    package let provider: String?
    package let key: FlagKeyPath
    /// The flag, or the field of a definition: `checkout/limit`, `checkout/limit description`.
    package let place: String
    package let field: String?
    package let location: SourceLocation
    package let ours: FlagValue?
    package let theirs: FlagValue?
    /// False if the comment no longer holds the other version.
    package let isWhole: Bool

    package init(
        file: URL, provider: String?, key: FlagKeyPath, place: String, location: SourceLocation, ours: FlagValue?,
        theirs: FlagValue?, isWhole: Bool = true, field: String? = nil
    ) {
        (self.file, self.provider, self.key, self.place, self.location) = (file, provider, key, place, location)
        (self.ours, self.theirs, self.isWhole, self.field) = (ours, theirs, isWhole, field)
    }

    init(_ conflict: MarkedConflict, in document: PropertyListDocument, _ file: URL, provider: String?) {
        self.init(
            file: file, provider: provider, key: conflict.place.key, place: conflict.place.text,
            location: document.location(of: conflict), ours: document.value(at: conflict.place),
            theirs: conflict.sides?.theirs, isWhole: conflict.sides != nil,
            field: conflict.place.kind == .definition ? conflict.place.field : nil)
    }

    /// The problem and the remedy, as a clause with both versions.
    package var problem: String {
        let sides =
            isWhole
            ? "the file has \(Self.words(ours)), the other version \(Self.words(theirs))"
            : "the comment no longer contains the other version"
        return "unresolved merge conflict: \(sides). Choose one and remove the comment"
    }

    /// Ignores the location.
    func isSame(as other: FileConflict) -> Bool {
        (file, place, ours, theirs, isWhole) == (other.file, other.place, other.ours, other.theirs, other.isWhole)
    }

    func touches(_ keys: Set<FlagKeyPath>) -> Bool { keys.contains { $0.isInside(key) || key.isInside($0) } }

    private static func words(_ value: FlagValue?) -> String { value?.briefDescription ?? "nothing" }
}

extension Workspace {
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

    /// Returns the conflicts that touch no hidden flag.
    func conflicts(besides hidden: @autoclosure () -> Set<FlagKeyPath>) -> [FileConflict] {
        let conflicts = conflicts
        guard !conflicts.isEmpty else { return [] }
        let hidden = hidden()
        return conflicts.filter { !$0.touches(hidden) }
    }

    /// Logs new conflicts, including those of internal flags.
    func tellConflicts(besides told: [FileConflict], _ log: (String) -> Void) {
        for conflict in conflicts where !told.contains(where: conflict.isSame) {
            log("\(conflict.file.lastPathComponent): \(conflict.location): \(conflict.place): \(conflict.problem)")
        }
    }
}
