import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

/// What the form below the list sends about the flags that are ticked.
struct SelectionForm: Hashable, Sendable {
    /// What is to be done to each of them.
    enum Action: String, CaseIterable, Hashable, Sendable {
        case on, off, set, reset, lock, unlock, tag, untag

        /// The action as a person chooses it.
        var label: String {
            switch self {
            case .on: "Turn on"
            case .off: "Turn off"
            case .set: "Set to the value"
            case .reset: "Reset"
            case .lock: "Lock"
            case .unlock: "Unlock"
            case .tag: "Add a tag"
            case .untag: "Remove a tag"
            }
        }

        /// Whether only admins may do it, as it is about definitions.
        var isForAdmins: Bool { [.lock, .unlock, .tag, .untag].contains(self) }

        /// The field that it needs: `value`, `tag` or nothing.
        var takes: String {
            switch self {
            case .set: "value"
            case .tag, .untag: "tag"
            case .on, .off, .reset, .lock, .unlock: ""
            }
        }
    }

    let keys: [FlagKeyPath]
    let action: Action
    /// What to set, where that is the action.
    let value: String
    /// The tag to add or to remove, where that is the action.
    let tag: String
    let provider: String?
    /// The list to come back to.
    let back: String

    /// Decodes the form.
    ///
    /// - Throws: ``RequestRefusal`` that says what is missing, or ``FormFieldsError``.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: FlagEdit.maximumBytes)
        let (texts, fields) = try FormFields.separating("key", in: body, upTo: BatchProposal.largest)
        var seen: Set<String> = []
        keys = texts.filter { seen.insert($0).inserted }.compactMap { FlagKeyPath(text: $0) }
        guard !keys.isEmpty else {
            throw Self.incomplete("No flag is selected.", "Go back, and tick the flags that you want to change.")
        }
        guard let action = fields["action"].flatMap(Action.init(rawValue:)) else {
            throw Self.incomplete("It is not said what to do.", "Go back, and choose what to do to the selected flags.")
        }
        self.action = action
        value = fields["value"].map(LineEnds.normalized) ?? ""
        tag = (fields["tag"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        if tag.isEmpty, action.takes == "tag" {
            throw Self.incomplete("No tag is named.", "Go back, and name the tag.")
        }
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        back = LocalPath.checked(fields["back"])
    }

    private static func incomplete(_ message: String, _ remedy: String) -> RequestRefusal {
        RequestRefusal(.unprocessableContent, title: "Nothing to preview", message: message, remedy: remedy)
    }

    private var title: String {
        switch action {
        case .set: "Set"
        case .tag: "Add the tag \(tag)"
        case .untag: "Remove the tag \(tag)"
        case .on, .off, .reset, .lock, .unlock: action.label
        }
    }

    /// The changes to preview, one of each flag.
    var proposal: BatchProposal {
        let deed: Change.Action =
            switch action {
            // As JSON, so that no text flag gets the text "true".
            case .on: .setJSON(.bool(true))
            case .off: .setJSON(.bool(false))
            case .set: .setText(value)
            case .reset: .reset
            case .lock: .lock
            case .unlock: .unlock
            case .tag: .tag(tag, isSet: true)
            case .untag: .tag(tag, isSet: false)
            }
        let count = keys.count == 1 ? "1 selected flag" : "\(keys.count) selected flags"
        return BatchProposal(
            title: "\(title): \(count)",
            changes: keys.map { Change(key: $0, action: deed, provider: action.isForAdmins ? nil : provider) },
            origin: .form, back: back)
    }
}
