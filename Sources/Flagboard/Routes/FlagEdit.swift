import FeatureFlags
import FlagChanges
import Foundation
import Hummingbird

/// What a flag's form sends.
struct FlagEdit: Hashable, Sendable {
    /// How large a form may be, in bytes.
    static let maximumBytes = 1024 * 1024

    /// What the form asks for: `set`, `reset`, `lock` or `unlock`.
    let action: String
    let provider: String?
    let revision: FlagRevision?
    let reason: String
    /// The value as it was typed, to show again where it is refused.
    let typedValue: String?

    /// Decodes a form's body.
    ///
    /// - Throws: What ``FormFields`` says is wrong with it.
    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: Self.maximumBytes)
        typedValue = fields["value"].map(LineEnds.normalized)
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        revision = fields["revision"].flatMap { $0.isEmpty ? nil : FlagRevision(rawValue: $0) }
        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        action = fields["action"] ?? ""
    }

    /// The change that the form asks for.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - catalogue: The flags as they are now; it tells the line ends that a browser doesn't send.
    /// - Returns: The change, which the service is to check. A flag that is unknown or locked is refused there, whatever
    ///   the form holds.
    /// - Throws: What is wrong with the form.
    func change(of key: FlagKeyPath, in catalogue: FlagCatalogue) throws(FlagEditError) -> Change {
        let entry = catalogue[key]
        let isLocking = action == "lock" || action == "unlock"
        let isChangeable = entry.map { isLocking || !$0.definition.metadata.isLocked } ?? false
        let change: Change.Action
        switch (action, typedValue) {
        case ("set", let typed?): change = .setText(entry.map { restored(typed, in: $0, catalogue) } ?? typed)
        case ("reset", _): change = .reset
        case ("lock", _): change = .lock
        case ("unlock", _): change = .unlock
        case ("set", nil) where isChangeable: throw .noValue
        case (_, _) where isChangeable: throw .unknownAction(action)
        default: change = .reset
        }
        return Change(key: key, action: change, provider: provider, revision: revision, reason: reason)
    }

    /// The text with the line ends of the stored text or of the choice that it was in the form.
    private func restored(_ typed: String, in entry: FlagEntry, _ catalogue: FlagCatalogue) -> String {
        if entry.definition.type == .choice {
            let choices = entry.definition.constraints.choices.map(entry.definition.editableText)
            return choices.first { LineEnds.normalized($0) == typed } ?? typed
        }
        let target = provider ?? catalogue.providers.first(where: \.isWritable)?.name ?? ""
        guard case .value(_, .string(let stored)) = entry.resolution[target] ?? .absent else { return typed }
        return LineEnds.restored(typed, like: stored)
    }
}

/// What is wrong with a form, whatever the flag's value may be.
enum FlagEditError: Error, Hashable {
    case noValue
    case unknownAction(String)

    /// What is wrong and what to do, in sentences.
    var description: String {
        switch self {
        case .noValue: "No value was chosen. Choose or type one, then save; to go back to the default, reset the flag."
        case .unknownAction(let action):
            "The form’s action is \(action.isEmpty ? "missing" : "“\(action)”"); it must be set, reset, lock or unlock. "
                + "Use the buttons of the form."
        }
    }

    /// The field at fault.
    var place: FlagForm.Place {
        switch self {
        case .noValue: .value
        case .unknownAction: .form
        }
    }
}
