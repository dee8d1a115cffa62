import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct PlannedChange {
    let change: Change
    let result: Result<PlannedEdits, ChangeError>
}

struct PlannedEdits {
    /// The provider; `nil` for the manifest.
    let provider: String?
    let type: FlagType
    let before: FlagValue?
    let after: FlagValue?
    /// One per row; empty if nothing changes.
    let edits: [PlannedEdit]

    init(_ edits: [PlannedEdit], last: PlannedEdit, before: FlagValue?) {
        (provider, type, after) = (last.provider, last.type, last.after)
        self.before = before
        self.edits = edits
    }

    init(_ edit: PlannedEdit) {
        self.init([edit], last: edit, before: edit.before)
    }

    init(unchanged value: FlagValue?, provider: String?, type: FlagType) {
        (self.provider, self.type) = (provider, type)
        (before, after, edits) = (value, value, [])
    }
}

struct PlannedEdit {
    enum Content {
        case values(ValuesPlace, PropertyListDocument)
        case manifest(FlagManifest)
    }

    let key: FlagKeyPath
    let kind: HistoryRecord.Kind
    let provider: String?
    let type: FlagType
    let before: FlagValue?
    let after: FlagValue?
    /// `nil` for a value of a running app.
    let reading: FileReading?
    let leaving: FileReading?
    let content: Content
    /// True if the preceding row covers the edit of the bytes.
    var isRowAlone = false

    /// True for an edit that has a row of its own.
    var isRecorded: Bool { isRowAlone || reading == nil || leaving?.hash != reading?.hash }
}

/// The index of a values file, or of a running app's provider, in a workspace.
enum ValuesPlace: Hashable {
    case file(Int)
    case app(Int)
}

struct EditedFile<Content> {
    let content: Content
    /// The bytes; `nil` for the values of a running app.
    let reading: FileReading?
}

extension EditedFile<PropertyListDocument> {
    func replaced(by document: PropertyListDocument) -> Self {
        Self(content: document, reading: reading?.replaced(by: document.source))
    }
}

extension EditedFile<FlagManifest> {
    func replaced(by manifest: FlagManifest) -> Self {
        Self(content: manifest, reading: reading?.replaced(by: manifest.document.source))
    }
}

extension FileReading {
    func replaced(by data: Data) -> FileReading {
        FileReading(data: data, hash: ContentHash.sha256(data), signature: signature, isSettled: false)
    }
}

extension ChangeContext {
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

    func settling(
        _ document: PropertyListDocument, _ place: FlagPlace?, of key: FlagKeyPath
    ) throws(ChangeError) -> PropertyListDocument {
        do {
            return try place.map { (place) throws(PropertyListEditError) in try document.settling([place]) } ?? document
        } catch {
            throw refusal(error, of: key)
        }
    }

    func refusal(_ error: PropertyListEditError, of key: FlagKeyPath) -> ChangeError {
        guard error.isUnsafe else { return .invalid(key, FlagValueError(error.description)) }
        options.log(error.description)
        return ChangeError(
            .invalid, key: key, "Can't change \(key) here: other values would change too.",
            remedy: "Nothing was changed. Edit the file by hand, and report this as a bug with the log.")
    }
}

struct AppEdit: Sendable {
    let provider: String
    let changes: [AppProvider.Change]
    let writer: AppProvider.Writer

    var reversed: AppEdit {
        AppEdit(
            provider: provider,
            changes: changes.map { AppProvider.Change(key: $0.key, before: $0.after, after: $0.before) },
            writer: writer)
    }
}

struct FileEdit: Sendable {
    let role: FileRole
    let path: String
    /// With links followed.
    let url: URL
    let before: FileReading
    let after: FileReading
}
