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

    private(set) var keys: [FlagKeyPath]
    /// Whether all flags are meant that the list finds, on every page of it.
    let isOfAll: Bool
    let action: Action
    /// What to set, where that is the action.
    let value: String
    /// The tags to add or to remove, where that is the action.
    let tags: [String]
    let provider: String?
    /// The list to come back to.
    let back: String
    /// The query of the list, where all flags are meant that it finds.
    private let query: String?

    /// Decodes the form.
    ///
    /// - Throws: ``RequestRefusal`` that says what is missing, or ``FormFieldsError``.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: FlagEdit.maximumBytes)
        let (texts, fields) = try FormFields.separating("key", in: body, upTo: BatchProposal.largest)
        var seen: Set<String> = []
        keys = texts.filter { seen.insert($0).inserted }.compactMap { FlagKeyPath(text: $0) }
        isOfAll = fields["extent"] == "all"
        guard isOfAll || !keys.isEmpty else {
            throw Self.incomplete("No flag is selected.", "Go back, and tick the flags that you want to change.")
        }
        guard let action = fields["action"].flatMap(Action.init(rawValue:)) else {
            throw Self.incomplete("It is not said what to do.", "Go back, and choose what to do to the selected flags.")
        }
        self.action = action
        value = fields["value"].map(LineEnds.normalized) ?? ""
        var known: Set<String> = []
        query = fields["query"]
        let names = action.takes == "tag" ? fields["tag"] ?? "" : ""
        tags = names.split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty && known.insert($0).inserted }
        if tags.isEmpty, action.takes == "tag" {
            throw Self.incomplete("No tag is named.", "Go back, and name the tag.")
        }
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        back = LocalPath.checked(fields["back"])
        try checkSize()
    }

    /// What is done to each flag: one thing, or one for each tag.
    private var deeds: Int { max(1, tags.count) }

    private func checkSize() throws {
        guard deeds <= BatchProposal.largest, keys.count <= BatchProposal.largest / deeds else {
            throw Self.incomplete(
                "These are \(keys.count) flags, with \(deeds == 1 ? "1 change" : "\(deeds) changes") of each; at most "
                    + "\(BatchProposal.largest) changes can be made at once.", "Go back, and select fewer.")
        }
    }

    private static func incomplete(_ message: String, _ remedy: String) -> RequestRefusal {
        RequestRefusal(.unprocessableContent, title: "Nothing to preview", message: message, remedy: remedy)
    }

    /// The same form about every flag that its list finds.
    ///
    /// - Parameter view: The flags.
    /// - Returns: The form.
    /// - Throws: ``RequestRefusal`` where those are none, or too many.
    func coveringList(in view: CatalogueView) throws -> SelectionForm {
        var form = self
        let filter = try query.map { FlagFilter(query: try FormFields($0).values) }
        guard let filter, filter.problems.isEmpty else {
            throw Self.incomplete("It is not said which list is meant.", "Go back, and search for the flags anew.")
        }
        form.keys = filter.entries(of: view).map(\.key)
        guard !form.keys.isEmpty else {
            throw Self.incomplete("The list has no flag any more.", "Go back, and search for the flags anew.")
        }
        try form.checkSize()
        return form
    }

    private var title: String {
        let tags = "the tag\(tags.count == 1 ? "" : "s") \(tags.joined(separator: ", "))"
        return switch action {
        case .set: "Set"
        case .tag: "Add \(tags)"
        case .untag: "Remove \(tags)"
        case .on, .off, .reset, .lock, .unlock: action.label
        }
    }

    /// The changes to preview: one of each flag, and of each tag.
    var proposal: BatchProposal {
        let deeds: [Change.Action] =
            switch action {
            // As JSON, so that no text flag gets the text "true".
            case .on: [.setJSON(.bool(true))]
            case .off: [.setJSON(.bool(false))]
            case .set: [.setText(value)]
            case .reset: [.reset]
            case .lock: [.lock]
            case .unlock: [.unlock]
            case .tag: tags.map { .tag($0, isSet: true) }
            case .untag: tags.map { .tag($0, isSet: false) }
            }
        let count = keys.count == 1 ? "1 selected flag" : "\(keys.count) selected flags"
        return BatchProposal(
            title: "\(title): \(count)",
            changes: deeds.flatMap { deed in
                keys.map { Change(key: $0, action: deed, provider: action.isForAdmins ? nil : provider) }
            },
            origin: .form, back: back)
    }
}
