import FlagChanges

/// Something that passes the changes on, as the history shows it.
struct FollowerRow: Hashable, PagePart {
    let name: String
    /// How far it is, in words.
    let state: String
    /// Why it is no further, for those who may know; `nil` where nothing is in the way.
    let problem: String?

    /// Shows a lag.
    init(_ lag: FollowerLag) {
        name = lag.name
        problem = lag.problem?.text.asSentence
        state =
            switch lag.behind {
            case nil: lag.isFailing ? "not reached yet" : "being looked at"
            case 0?: "up to date"
            case 1?: "1 row behind"
            case let rows?: "\(rows) rows behind"
            }
    }
}
