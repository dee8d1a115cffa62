import FeatureFlags
import FlagChanges
import Hummingbird

extension TypedValue {
    /// Keeps what the sender typed in a form refused unread.
    ///
    /// The cause may be a browser that hides the origin, or an expired session. No large file is read before sign-in.
    static func all(in request: Request) async -> [TypedValue] {
        guard request.method == .post else { return [] }
        do {
            if Dashboard.key(in: request) != nil {
                let edit = try await FlagRequest(request, takesFile: true, upTo: FormFields.maximumBytes)
                return all(value: edit.typedValue, reason: edit.reason)
            }
            if Route.at(request.uri.path)?.isDefinition == true {
                return all(DefinitionForm(try await FormFields(request, upTo: FormFields.maximumBytes)))
            }
            if Route.at(request.uri.path) == .importing {
                let text = try await ImportRequest(request, upTo: FormFields.maximumBytes).text
                return text.isEmpty ? [] : [TypedValue(label: "Text to import", text: text, id: "typed-text")]
            }
            return []
        } catch {
            // Anything but a form contains nothing typed.
            return []
        }
    }

    static func all(_ fields: FormFields, sentTo path: String) -> [TypedValue] {
        if Route.at(path)?.isDefinition == true { return all(DefinitionForm(fields)) }
        if Route.at(path) == .importing {
            let text = fields["text"] ?? ""
            return text.isEmpty ? [] : [TypedValue(label: "Text to import", text: text, id: "typed-text")]
        }
        return all(value: fields["value"], reason: fields["reason"] ?? "")
    }

    static func all(_ form: DefinitionForm) -> [TypedValue] {
        var fields = [(name: "key", label: "Key path", text: form["key"])]
        fields += DefinitionSection.all(form).flatMap(\.fields).map { field in
            let isOfType = DefinitionForm.types(for: field.name)?.map(\.rawValue).contains(form["type"]) ?? true
            let text = field.radios == nil || isOfType ? form[field.name] : ""
            return (field.name, field.label, field.box.map { $0.isChecked ? "yes" : "" } ?? text)
        }
        fields += [
            ("newKey", "New key path", form["newKey"]),
            ("retired", "Reason for deprecating the flag", form["retired"]),
            ("reason", "Reason", form.reason),
        ]
        return fields.filter { !$0.text.isEmpty }
            .map { TypedValue(label: $0.label, text: $0.text, id: "typed-\($0.name)") }
    }
}
