import HTTPTypes
import FlagHistory

extension HistoryEvent {
    var isOfManifest: Bool { provider == nil && kind != .denied && kind != .note && !kind.isOfHistory }

    var absence: String { isOfManifest ? ShownValue.noDefinition : ShownValue.absence }
}

extension HistoryRecord.Kind {
    var label: String {
        switch self {
        case .set: "Set"
        case .reset: "Reset"
        case .define: "Created"
        case .redefine: "Definition changed"
        case .lock: "Locked"
        case .unlock: "Unlocked"
        case .remove: "Deleted"
        case .external: "External edit"
        case .aborted: "Aborted"
        case .denied: "Refused"
        case .prune: "Archived"
        case .accept: "Accepted"
        case .note: "Reason added"
        }
    }

    var meaning: String {
        switch self {
        case .set: "The value was set."
        case .reset: "The value was reset."
        case .define: "The flag was created."
        case .redefine: "The definition was changed."
        case .lock: "The flag was locked."
        case .unlock: "The flag was unlocked."
        case .remove: "The flag was deleted with its definition."
        case .external: "The file was edited outside Flagboard: by an editor, git, or the app itself."
        case .aborted: "A crash interrupted the change. It didn’t take effect."
        case .denied: "The change was refused. Nothing changed."
        case .prune: "The oldest changes were moved to an archive, named in the reason."
        case .accept: "The history didn’t match its signature, and someone accepted it as it is."
        case .note: "A reason was added to an earlier change. No value changed."
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
            message: "Change \(id) was archived: \(anchor.actor) moved changes \(anchor.first) to \(anchor.last) to "
                + "\(anchor.archive) at \(TimeText(anchor.at).text).",
            remedy: "Search for its number in that file, which has one change per line.")
    }
}
