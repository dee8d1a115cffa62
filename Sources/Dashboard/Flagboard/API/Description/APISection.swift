/// What operations are about, to list them by.
enum APISection: String, CaseIterable {
    case flags, definitions, history, evaluation, server

    /// The section of what is asked at an address.
    init(_ route: Route) {
        switch route {
        case .apiFlags, .apiFlag, .apiBatches, .apiImport, .apiExport, .apiProviders, .apiSnapshot, .apiComparison:
            self = .flags
        case .apiDefinitions, .apiDefinition: self = .definitions
        case .apiHistory, .apiChange, .apiNotes, .apiRevert, .apiUndo, .events: self = .history
        case .evaluations, .evaluation, .evaluationEvents: self = .evaluation
        default: self = .server
        }
    }

    /// What it is called.
    var label: String {
        switch self {
        case .flags: "Flags and their values"
        case .definitions: "Definitions"
        case .history: "History"
        case .evaluation: "OpenFeature"
        case .server: "The server"
        }
    }
}
