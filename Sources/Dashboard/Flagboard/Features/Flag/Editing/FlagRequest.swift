import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

struct FlagRequest: Hashable, Sendable {
    /// In bytes: its base64 is as long as a form may be.
    static let maximumFileBytes = FormFields.maximumBytes / 4 * 3
    /// In bytes: three for each byte of text, and room to report a text that is too long.
    static let maximumEncodedBytes = 3 * FormFields.maximumBytes + 64 * 1024
    /// In bytes, with room to report a file that is too large.
    static let maximumFormBytes = 8 * FormFields.maximumBytes

    enum Action: Hashable, Sendable {
        case set, reset, lock, unlock
        case undo
        /// Settles a merge conflict, after a preview.
        case settle(ValueChange.MergeSide)
        case unknown(String)

        init(_ text: String) {
            self =
                switch text {
                case "set", "on", "off": .set
                case "reset": .reset
                case "lock": .lock
                case "unlock": .unlock
                case "undo": .undo
                case "keep-ours": .settle(.ours)
                case "take-theirs": .settle(.theirs)
                default: .unknown(text)
                }
        }
    }

    private(set) var action: Action
    var provider: String?
    /// `nil` for the value.
    private let field: String?
    private(set) var revision: FlagRevision?
    private(set) var reason: String
    /// False for the switch of a row, whose form has no field for it.
    let hasReasonField: Bool
    /// The value as typed, to show again if it is refused.
    private(set) var typedValue: String?
    /// A picked time that doesn't exist.
    let missingTime: PickedTime?
    let change: String?
    let confirmation: SentConfirmation
    /// `nil` for the flag's page.
    let back: String?
    private var formerValue: FlagValue?
    /// What the button called it.
    let deed: BatchDeed
    private(set) var isUndo = false
    private let largeFile: LargeFile?
    /// In bytes; set if it is too large.
    private let largeText: Int?

    private struct LargeFile: Hashable {
        let name: String
        let size: Int
    }

    /// A chosen file replaces the typed value.
    ///
    /// `maximum` is in bytes.
    init(_ request: Request, takesFile: Bool, upTo maximum: Int = maximumFormBytes) async throws {
        let form = takesFile ? try await Self.formWithFile(request, upTo: maximum) : nil
        let fields: FormFields
        if let form {
            fields = FormFields(form)
        } else {
            fields = try await FormFields(request, upTo: min(maximum, Self.maximumEncodedBytes))
        }
        let sent = fields["action"] ?? ""
        action = Action(sent)
        let file = sent == "set" ? form?.file : nil
        let isLarge = file.map { $0.content.count > Self.maximumFileBytes } ?? false
        largeFile = isLarge ? file.map { LargeFile(name: $0.name, size: $0.content.count) } : nil
        let fileText = isLarge ? nil : file?.content.base64EncodedString()
        let picked = PickedTime(fields)
        missingTime = sent == "set" && picked?.text == nil ? picked : nil
        typedValue =
            switch sent {
            case "on": "true"
            case "off": "false"
            default: fileText ?? picked?.text ?? fields["value"].map(LineEnds.normalized)
            }
        let length = fields["value"]?.utf8.count ?? 0
        largeText = sent == "set" && length > FormFields.maximumBytes ? length : nil
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        field = fields["field"].flatMap { $0.isEmpty ? nil : $0 }
        revision = fields["revision"].flatMap { $0.isEmpty ? nil : FlagRevision(rawValue: $0) }
        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        hasReasonField = fields["reason"] != nil
        change = fields["change"]
        deed = fields["deed"].flatMap(BatchDeed.init) ?? .undo
        confirmation = SentConfirmation(fields)
        back = fields["back"].map(LocalPath.checked)
    }

    private static func formWithFile(_ request: Request, upTo maximum: Int) async throws -> MultipartForm? {
        try await MultipartForm.sent(with: request, file: "file", upTo: maximum, else: tooLarge)
    }

    private static let tooLarge = RequestError(
        .contentTooLarge, title: "Too large",
        message: "The file is larger than \(maximumFileBytes / 1024) KB, the limit for data. Nothing was changed.",
        remedy: "Go back and choose a smaller file.")

    /// Returns the form that restores the value before a change; `nil` if impossible.
    ///
    /// It is refused unless the flag still has the form's revision, or else the change's own.
    func undoing(_ record: HistoryRecord, _ entry: FlagEntry?) -> FlagRequest? {
        guard Reversal.problem(of: record) != .isAltered else { return nil }
        var edit = self
        let event = record.event
        switch event.kind {
        case .lock: edit.action = .unlock
        case .unlock: edit.action = .lock
        case .set, .reset, .external:
            guard event.provider != nil else { return nil }
            edit.action = event.before == nil ? .reset : .set
            edit.formerValue = event.before
            edit.typedValue = event.before.flatMap { entry?.definition.editableText(of: $0) }
            edit.provider = event.provider
            edit.revision = revision ?? FlagRevision(of: event.after)
        default: return nil
        }
        let isOfNow = edit.revision == FlagRevision(of: event.after) || event.provider == nil
        edit.isUndo = true
        edit.reason = isOfNow ? "Undo change \(record.id)" : "Back to before change \(record.id)"
        return edit
    }

    /// Throws for a mistake in the form; the service refuses unknown and locked flags.
    ///
    /// The catalogue's values restore the line ends that browsers don't send.
    func change(of key: FlagKeyPath, in catalogue: FlagCatalogue) throws(FormError<FlagForm.Place>) -> Change {
        if let largeFile {
            throw FormError(
                "\(largeFile.name.isEmpty ? "The file" : "“\(largeFile.name)”") has \(largeFile.size) bytes; the limit is "
                    + "\(Self.maximumFileBytes). Choose a smaller file.", at: .file)
        }
        if let largeText {
            throw FormError(
                "The text has \(largeText) bytes; the limit is \(FormFields.maximumBytes). Shorten it.", at: .value,
                .contentTooLarge)
        }
        if let missingTime {
            throw FormError("\(missingTime.problem) Pick another time.", at: .value)
        }
        let change: Change.Action
        switch action {
        case .set: change = try setting(key, in: catalogue)
        case .reset: change = .reset
        case .lock: change = .lock
        case .unlock: change = .unlock
        case .settle(let side): change = field.map { .settle(side, field: $0) } ?? .settle(side)
        case .undo: throw Self.noSuchChange(self.change)
        case .unknown(let action):
            throw FormError(
                "Unknown action \(action.isEmpty ? "(missing)" : "“\(action)”"). Use set, reset, lock, unlock or undo.",
                at: .form)
        }
        return Change(key: key, action: change, provider: provider, revision: revision, reason: reason)
    }

    static func noSuchChange(_ number: String?) -> FormError<FlagForm.Place> {
        FormError(
            "Change “\(number ?? "")” of this flag can’t be undone. See its history.", at: .form)
    }

    private func setting(
        _ key: FlagKeyPath, in catalogue: FlagCatalogue
    ) throws(FormError<FlagForm.Place>) -> Change.Action {
        if let formerValue { return .putBack(formerValue) }
        guard let typedValue else {
            throw FormError("Choose or enter a value.", at: .value)
        }
        return .setText(catalogue[key].map { restored(typedValue, in: $0, catalogue) } ?? typedValue)
    }

    /// Restores the line ends of the stored text, or of the choice it was made from.
    private func restored(_ typed: String, in entry: FlagEntry, _ catalogue: FlagCatalogue) -> String {
        if entry.definition.type.rules.form == .choice {
            let choices = entry.definition.constraints.choices.map(entry.definition.editableText)
            return choices.first { LineEnds.normalized($0) == typed } ?? typed
        }
        let target = provider ?? catalogue.usualProvider(for: entry.key)?.name ?? ""
        guard case .value(_, .string(let stored)) = entry.resolution[target] ?? .absent else { return typed }
        return LineEnds.restored(typed, like: stored)
    }
}

extension SavedNotice.Outcome {
    init(_ action: FlagRequest.Action, _ outcome: ChangeOutcome) {
        self =
            switch (action, outcome) {
            case (.lock, .applied): .locked
            case (.unlock, .applied): .unlocked
            case (.lock, .unchanged), (.unlock, .unchanged): .lockUnchanged
            case (_, .unchanged): .unchanged
            case (.reset, _): .reset
            default: .set
            }
    }
}
