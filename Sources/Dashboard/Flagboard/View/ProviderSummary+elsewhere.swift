import FeatureFlags
import FlagChanges
import HTTPTypes

extension ProviderSummary {
    /// The effect of a change if reads here don't ask the provider.
    var elsewhereNote: String? {
        if isAsked { return nil }
        guard let connectedApp else {
            return "\(name) is another environment. Its values aren’t used here."
        }
        return "\(name) is in the running app \(connectedApp). Its values apply only in that app."
    }
}

extension FlagCatalogue {
    func elsewhereNote(of provider: String) -> String? { providers.first { $0.name == provider }?.elsewhereNote }
}

extension RequestError {
    static func noProvider(_ name: String, of names: [String]) -> RequestError {
        RequestError(
            .notFound, .unknownProvider, title: "Provider not found",
            message: "Provider \(ShownValue(.string(name)).inSentence) not found.",
            remedy: names.isEmpty ? "Check the address." : "Available: \(names.joined(separator: ", ")).")
    }
}
