import HTTPTypes
import FlagHistory

extension HistoryEvent {
    /// The event changes an entry of the manifest.
    var isOfManifest: Bool { provider == nil && kind != .denied && kind != .note && !kind.isOfHistory }

    var absence: String { isOfManifest ? ShownValue.noDefinition : ShownValue.absence }
}

extension HistoryRecord.Kind {
    var label: String {
        switch self {
        case .set: "Set"
        case .reset: "Reset"
        case .define: "Defined"
        case .redefine: "Definition changed"
        case .lock: "Locked"
        case .unlock: "Unlocked"
        case .remove: "Removed"
        case .external: "External"
        case .aborted: "Aborted"
        case .denied: "Denied"
        case .prune: "Pruned"
        case .accept: "Accepted"
        case .note: "Reason added"
        }
    }

    var meaning: String {
        switch self {
        case .set: "A provider got a value."
        case .reset: "A provider's value was removed."
        case .define: "A definition was added."
        case .redefine: "A definition was changed."
        case .lock: "The flag was locked."
        case .unlock: "The flag was unlocked."
        case .remove: "The flag was removed with its definition."
        case .external: "The file was changed from outside: by an editor, git, or the app itself."
        case .aborted: "A crash interrupted the change, and it did not take place."
        case .denied: "The attempt was refused, and nothing changed."
        case .prune: "The oldest rows of the history were moved to an archive, which the reason names."
        case .accept: "The history was not what had been signed, and somebody accepted it as it is."
        case .note: "An earlier change was given a reason; no value changed."
        }
    }
}

extension HistoryRecord.Kind {
    var isOfHistory: Bool { self == .prune || self == .accept }
}

extension HistoryRecord.Origin {
    var label: String {
        switch self {
        case .form: "Form"
        case .api: "API"
        case .cli: "Command line"
        case .import: "Import"
        case .revert: "Revert"
        case .external: "External"
        case .code: "Code"
        }
    }
}

extension RequestError {
    static func archived(_ id: Int64, _ anchor: HistoryAnchor) -> RequestError {
        RequestError(
            .notFound, .archived, title: "Archived",
            message: "Change \(id) is no longer here: the changes \(anchor.first) to \(anchor.last) were moved to "
                + "\(anchor.archive) at \(TimeText(anchor.at).text), by \(anchor.actor).",
            remedy: "Look for its number in that file, one line for each change, or ask who keeps it.")
    }
}
