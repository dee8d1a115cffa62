import FeatureFlags
import Hummingbird

/// A form in which one field may be there many times, as checkboxes of one name are.
struct ChoiceForm: Hashable, Sendable {
    /// Every other field.
    let fields: FormFields
    /// The flags that were chosen, in the order of the form.
    let keys: [FlagKeyPath]

    /// How large such a form may be, in bytes.
    private static let maximumBytes = 4 * 1024 * 1024
    /// The name of the field that holds a flag's key path.
    private static let name = "key"

    /// Reads a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: Self.maximumBytes)
        let (keys, fields) = try FormFields.separating(Self.name, in: body, upTo: BatchProposal.largest)
        self.fields = fields
        self.keys = try keys.map { text in
            guard let key = FlagKeyPath(text: text) else { throw FormFieldsError.malformed }
            return key
        }
    }
}
