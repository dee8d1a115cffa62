import Hummingbird

extension TypedValue {
    /// What a flag's form held that is refused unread, for a person to whom it would be lost: the browser hides where it
    /// comes from, or the session is over.
    static func all(in request: Request) async -> [TypedValue] {
        guard request.method == .post, Dashboard.key(in: request) != nil else { return [] }
        do {
            let edit = try await FlagEdit(request)
            return all(value: edit.typedValue, reason: edit.reason)
        } catch {
            // What is no form holds nothing that somebody typed.
            return []
        }
    }
}
