/// What is to be done to each of the flags that are ticked in the list.
enum SelectionAction: String, CaseIterable, Hashable, Sendable {
    case on, off, set, reset, lock, unlock, tag, untag

    /// The action as a person chooses it.
    var label: String {
        switch self {
        case .on: "Turn on"
        case .off: "Turn off"
        case .set: "Set to the value"
        case .reset: "Reset"
        case .lock: "Lock"
        case .unlock: "Unlock"
        case .tag: "Add a tag"
        case .untag: "Remove a tag"
        }
    }

    /// Whether only admins may do it, as it is about definitions.
    var isForAdmins: Bool { [.lock, .unlock, .tag, .untag].contains(self) }

    /// The field that it needs: `value`, `tag` or nothing.
    var takes: String {
        switch self {
        case .set: "value"
        case .tag, .untag: "tag"
        case .on, .off, .reset, .lock, .unlock: ""
        }
    }
}
