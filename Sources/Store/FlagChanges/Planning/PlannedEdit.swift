import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// A change, and the edits that it comes to or why it is refused.
struct PlannedChange {
    let change: Change
    let result: Result<PlannedEdits, ChangeError>
}

/// The edits that a change comes to, and what is told of it as a whole.
struct PlannedEdits {
    /// The provider that is changed; `nil` where that is the manifest.
    let provider: String?
    let type: FlagType
    /// What is stored before and after: the provider's value, or the definition's entry in the manifest.
    let before: FlagValue?
    let after: FlagValue?
    /// One for each row; none where nothing changes.
    let edits: [PlannedEdit]

    /// Tells of several edits what their last one says.
    init(_ edits: [PlannedEdit], last: PlannedEdit, before: FlagValue?) {
        (provider, type, after) = (last.provider, last.type, last.after)
        self.before = before
        self.edits = edits
    }

    /// Tells of one edit.
    init(_ edit: PlannedEdit) {
        self.init([edit], last: edit, before: edit.before)
    }

    /// Tells that nothing changes.
    init(unchanged value: FlagValue?, provider: String?, type: FlagType) {
        (self.provider, self.type) = (provider, type)
        (before, after, edits) = (value, value, [])
    }
}

/// An edit of a file that a change comes to.
struct PlannedEdit {
    /// What the file says then.
    enum Content {
        case values(Int, PropertyListDocument)
        case manifest(FlagManifest)
    }

    let key: FlagKeyPath
    let kind: HistoryRecord.Kind
    let provider: String?
    let type: FlagType
    let before: FlagValue?
    let after: FlagValue?
    /// The file as it was.
    let reading: FileReading
    /// The file as it is then.
    let leaving: FileReading
    let content: Content
    /// Whether the row before it tells of the same bytes, so that they don't change once more.
    var isRowAlone = false
}

/// A file as an edit leaves it.
struct EditedFile<Content> {
    let content: Content
    let reading: FileReading
}

extension EditedFile<PropertyListDocument> {
    /// A document as the next edit of a file.
    func replaced(by document: PropertyListDocument) -> Self {
        Self(content: document, reading: reading.replaced(by: document.source))
    }
}

extension EditedFile<FlagManifest> {
    /// A manifest as the next edit of a file.
    func replaced(by manifest: FlagManifest) -> Self {
        Self(content: manifest, reading: reading.replaced(by: manifest.document.source))
    }
}

extension FileReading {
    /// The file as it will be with other bytes.
    func replaced(by data: Data) -> FileReading {
        FileReading(data: data, hash: ContentHash.sha256(data), signature: signature, isSettled: false)
    }
}

extension ChangeContext {
    /// A document with another value, or with none.
    func editing(
        _ document: PropertyListDocument, _ key: FlagKeyPath, to value: FlagValue?
    ) throws(ChangeError) -> PropertyListDocument {
        do {
            guard let value else { return try document.removing(key) }
            return try document.setting(value, at: key)
        } catch {
            throw refusal(error, of: key)
        }
    }

    /// A document without the comment of a conflict that is settled; `nil` for none.
    func settling(
        _ document: PropertyListDocument, _ place: FlagPlace?, of key: FlagKeyPath
    ) throws(ChangeError) -> PropertyListDocument {
        do {
            return try place.map { (place) throws(PropertyListEditError) in try document.settling([place]) } ?? document
        } catch {
            throw refusal(error, of: key)
        }
    }

    /// A refusal because the bytes can't be edited.
    func refusal(_ error: PropertyListEditError, of key: FlagKeyPath) -> ChangeError {
        guard error.isUnsafe else { return .invalid(key, FlagValueError(error.description)) }
        options.log(error.description)
        return ChangeError(
            .invalid, key: key, "\(key) can't be changed here: other values would change with it.",
            remedy: "Nothing was changed. Edit the file by hand, and report this with what the log says.")
    }
}

/// New bytes for a file.
struct FileEdit: Sendable {
    let role: FileRole
    /// What the history knows the file by.
    let path: String
    /// The file itself, no link to it.
    let url: URL
    /// What the bytes were made of.
    let before: FileReading
    /// The bytes, with the hash that they have.
    let after: FileReading
}
