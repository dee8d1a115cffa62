import FlagChanges

extension ProviderSummary {
    /// The effect of a change where reads here don't ask; `nil` where they do.
    var elsewhereNote: String? {
        if isAsked { return nil }
        guard let connectedApp else {
            return "\(name) is another environment: what is stored there changes nothing here."
        }
        return "\(name) is in the running app \(connectedApp): what is set there counts in that app alone."
    }
}

extension FlagCatalogue {
    func elsewhereNote(of provider: String) -> String? { providers.first { $0.name == provider }?.elsewhereNote }
}
