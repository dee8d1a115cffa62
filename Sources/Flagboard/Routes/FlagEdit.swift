import FeatureFlags
import FlagChanges
import Foundation
import Hummingbird

/// What a flag's form sends.
struct FlagEdit: Hashable, Sendable {
    /// How large a form may be, in bytes.
    static let maximumBytes = 1024 * 1024

    let action: Change.Action
    let provider: String?
    let revision: FlagRevision?
    let reason: String
    /// The value as it was typed, to show again where it is refused.
    let typedValue: String?

    /// Decodes a form's body.
    ///
    /// - Throws: ``FormFieldsError``, `HTTPError` (413), or ``RequestRefusal`` where the action is none.
    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: Self.maximumBytes)
        let fields = try FormFields(String(buffer: body))
        // Browsers send every line end of a text area as CR LF.
        typedValue = fields["value"]?.replacingOccurrences(of: "\r\n", with: "\n")
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        revision = fields["revision"].flatMap { $0.isEmpty ? nil : FlagRevision(rawValue: $0) }
        reason = fields["reason"] ?? ""
        switch (fields["action"], typedValue) {
        case ("set", let value?): action = .setText(value)
        case ("reset", _): action = .reset
        case ("set", nil):
            throw RequestRefusal(
                .unprocessableContent, title: "No value", message: "The form was sent without a value.",
                remedy: "Choose or type a value, then save; to fall back to the default, reset the flag.")
        default:
            throw RequestRefusal(
                .unprocessableContent, title: "Unknown action",
                message: "The form's action is \(fields["action"] ?? "missing"); it must be set or reset.",
                remedy: "Use the buttons on the flag's page.")
        }
    }

    /// The change that the form asks for.
    func change(of key: FlagKeyPath) -> Change {
        Change(key: key, action: action, provider: provider, revision: revision, reason: reason)
    }
}
