import FlagChanges
import FlagHistory
import Foundation

/// How far something lags that passes the rows of the history on.
struct FollowerLag: Sendable {
    /// Where the rows go.
    let name: String
    /// How many rows are not passed on yet; `nil` where that is not known.
    let behind: Int?
    /// What is in the way.
    let problem: FollowerStatus.Problem?

    /// Whether rows can be passed on.
    var isFailing: Bool { problem != nil }
}

extension Dashboard {
    /// How far what passes the history on lags behind it.
    func followerLags() throws(HistoryStoreError) -> [FollowerLag] {
        let statuses = followers()
        guard !statuses.isEmpty else { return [] }
        let head = try service.history.chainHead().id
        return statuses.map { status in
            FollowerLag(name: status.name, behind: status.row.map { Int(max(0, head - $0)) }, problem: status.problem)
        }
    }
}

/// The same for programs that watch over the process.
struct FollowerDocument {
    private let lag: FollowerLag
    private let isNamed: Bool

    /// Tells of a lag.
    ///
    /// - Parameter isNamed: Whether the reader may know where the rows go, and what is in the way.
    init(_ lag: FollowerLag, isNamed: Bool) { (self.lag, self.isNamed) = (lag, isNamed) }

    private var name: String? { isNamed ? lag.name : nil }
    private var problem: String? { isNamed ? lag.problem?.text : nil }
}

extension FollowerDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "behind": .of(\.lag.behind), "failing": .of(\.lag.isFailing), "name": .of(\.name), "problem": .of(\.problem),
    ]
}
