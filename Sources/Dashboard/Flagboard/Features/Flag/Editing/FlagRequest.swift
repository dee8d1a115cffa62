import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

/// What a flag's form sends.
struct FlagRequest: Hashable, Sendable {
    /// How large the data in a file may be, in bytes: as base64 it is as long as a form may be.
    static let maximumFileBytes = FormFields.maximumBytes / 4 * 3
    /// How large a form may be as it is encoded on its way, in bytes: enough for any text that is not too large, of which each
    /// byte may take three, and to say beside the field that one is.
    static let maximumEncodedBytes = 3 * FormFields.maximumBytes + 64 * 1024
    /// How large a form with a file may be, in bytes: enough to say beside the field that the file is too large.
    static let maximumFormBytes = 8 * FormFields.maximumBytes

    /// What the form asks for.
    enum Action: Hashable, Sendable {
        case set, reset, lock, unlock
        /// Take a change back.
        case undo
        /// Choose a version of a merge, which is looked at first.
        case settle(ValueChange.MergeSide)
        /// What no form of a page sends.
        case unknown(String)

        init(_ text: String) {
            self =
                switch text {
                case "set", "on", "off", "empty": .set
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
    private(set) var provider: String?
    /// The field of the definition in which a version is chosen; `nil` for the value.
    private let field: String?
    private(set) var revision: FlagRevision?
    private(set) var reason: String
    /// The value as it was typed, to show again where it is refused.
    private(set) var typedValue: String?
    /// The time that was picked, and that there is none of.
    let missingTime: PickedTime?
    /// The number of the change that `undo` takes back, as it was sent.
    let change: String?
    /// The list to go back to; `nil` for the flag's page.
    let back: String?
    /// The value that a change is to bring back, of whatever kind it was.
    private var formerValue: FlagValue?
    /// Whether it takes a change back.
    private(set) var isUndo = false
    /// The file that is not taken, for it is too large.
    private let largeFile: LargeFile?
    /// How large the text is, in bytes, where it is too large to be taken.
    private let largeText: Int?

    /// A file that is larger than it may be.
    private struct LargeFile: Hashable {
        let name: String
        let size: Int
    }

    /// Decodes a form's body.
    ///
    /// A file that was chosen takes the place of the value that was typed.
    ///
    /// - Parameters:
    ///   - request: The request; its body is read.
    ///   - maximum: How large it may be, in bytes.
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
            case "empty": ""
            default: fileText ?? picked?.text ?? fields["value"].map(LineEnds.normalized)
            }
        let length = fields["value"]?.utf8.count ?? 0
        largeText = sent == "set" && length > FormFields.maximumBytes ? length : nil
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        field = fields["field"].flatMap { $0.isEmpty ? nil : $0 }
        revision = fields["revision"].flatMap { $0.isEmpty ? nil : FlagRevision(rawValue: $0) }
        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        change = fields["change"]
        back = fields["back"].map(LocalPath.checked)
    }

    private static func formWithFile(_ request: Request, upTo maximum: Int) async throws -> MultipartForm? {
        try await MultipartForm.sent(with: request, file: "file", upTo: maximum, else: tooLarge)
    }

    private static let tooLarge = RequestError(
        .contentTooLarge, title: "Too large",
        message: "The file is larger than the \(maximumFileBytes / 1024) KiB that data may have here, so nothing was "
            + "changed.",
        remedy: "Go back, where the form still holds what you typed, and choose a smaller file.")

    /// The form that takes a change back, as if a person had sent it: what the change replaced is set again, on nothing but
    /// the revision that the form names, or else what the change left.
    ///
    /// - Returns: The form; `nil` where the row is none of a change that can be taken back.
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
        edit.reason = isOfNow ? "Undo of change \(record.id)" : "Back to what was before change \(record.id)"
        return edit
    }

    /// The change that the form asks for.
    ///
    /// - Parameter catalogue: The flags as they are now; it tells the line ends that a browser doesn't send.
    /// - Returns: The change, which the service is to check. A flag that is unknown or locked is refused there, whatever
    ///   the form holds.
    func change(of key: FlagKeyPath, in catalogue: FlagCatalogue) throws(FlagRequestError) -> Change {
        let entry = catalogue[key]
        let isLocking = action == .lock || action == .unlock
        let isChangeable = entry.map { isLocking || !$0.definition.metadata.isLocked } ?? false
        if let largeFile, isChangeable { throw .fileTooLarge(name: largeFile.name, size: largeFile.size) }
        if let largeText, isChangeable { throw .textTooLarge(largeText) }
        if let missingTime, isChangeable { throw .noSuchTime(missingTime.problem) }
        let change: Change.Action
        switch (action, typedValue) {
        case (.set, _) where formerValue != nil: change = formerValue.map { .putBack($0) } ?? .reset
        case (.set, let typed?): change = .setText(entry.map { restored(typed, in: $0, catalogue) } ?? typed)
        case (.reset, _): change = .reset
        case (.lock, _): change = .lock
        case (.unlock, _): change = .unlock
        case (.set, nil) where isChangeable: throw .noValue
        case (.unknown(let action), _) where isChangeable: throw .unknownAction(action)
        case (.settle(let side), _): change = field.map { .settle(side, field: $0) } ?? .settle(side)
        case (.set, nil), (.unknown, _), (.undo, _): change = .reset
        }
        return Change(key: key, action: change, provider: provider, revision: revision, reason: reason)
    }

    /// The text with the line ends of the stored text or of the choice that it was in the form.
    private func restored(_ typed: String, in entry: FlagEntry, _ catalogue: FlagCatalogue) -> String {
        if entry.definition.type == .choice {
            let choices = entry.definition.constraints.choices.map(entry.definition.editableText)
            return choices.first { LineEnds.normalized($0) == typed } ?? typed
        }
        let target = provider ?? catalogue.usualProvider(for: entry.key)?.name ?? ""
        guard case .value(_, .string(let stored)) = entry.resolution[target] ?? .absent else { return typed }
        return LineEnds.restored(typed, like: stored)
    }
}

/// What is wrong with a form, whatever the flag's value may be.
enum FlagRequestError: Error, Hashable {
    case noValue
    case unknownAction(String)
    case noSuchChange(String)
    case fileTooLarge(name: String, size: Int)
    /// The text has so many bytes.
    case textTooLarge(Int)
    /// A time was picked that never comes, for the reason that the sentence gives.
    case noSuchTime(String)

    /// What is wrong and what to do, in sentences.
    var description: String {
        switch self {
        case .noValue: "No value was chosen. Choose or type one, then save."
        case .noSuchTime(let problem): "\(problem) Pick another one, or type the date."
        case .noSuchChange(let number):
            "This flag has no change “\(number)” that can be undone. Its history lists its changes."
        case .fileTooLarge(let name, let size):
            "\(name.isEmpty ? "The file" : "“\(name)”") has \(size) bytes; at most \(FlagRequest.maximumFileBytes) can be "
                + "sent from here. Choose a smaller file."
        case .textTooLarge(let size):
            "The text has \(size) bytes; at most \(FormFields.maximumBytes) can be stored from here. Shorten it, then save again."
        case .unknownAction(let action):
            "The form’s action is \(action.isEmpty ? "missing" : "“\(action)”"); it must be set, reset, lock, unlock or undo. "
                + "Use the buttons of the form."
        }
    }

    /// The field at fault.
    var place: FlagForm.Place {
        switch self {
        case .noValue, .noSuchTime, .textTooLarge: .value
        case .fileTooLarge: .file
        case .unknownAction, .noSuchChange: .form
        }
    }
}

extension SavedNotice.Outcome {
    /// What became of an action of the form.
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
