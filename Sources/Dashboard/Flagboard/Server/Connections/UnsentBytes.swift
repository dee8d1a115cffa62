import NIOCore

/// What a client has not taken yet of what was written to it.
struct UnsentBytes {
    /// How much a client must take to be counted as going on, in bytes.
    private static let step = 4096

    private let patience: TimeAmount
    private var written = 0
    private var taken = 0
    /// Since when the client has taken less than a step, where anything waits for it.
    private(set) var since: NIODeadline?
    /// Since when the client has not taken all that waited for it then.
    private(set) var behindSince: NIODeadline?
    /// How many bytes were written by then.
    private var writtenThen = 0

    /// - Parameter patience: How long a client may take less than a step.
    init(patience: TimeAmount) {
        self.patience = patience
    }

    /// By when the client must have taken a step or all.
    var deadline: NIODeadline? { since.map { $0 + patience } }

    /// Notes what was written and what of it still waits.
    mutating func note(written bytes: Int, waiting: Int, at now: NIODeadline) {
        written += bytes
        guard waiting > 0 else {
            (since, behindSince) = (nil, nil)
            taken = written
            return
        }
        if behindSince == nil || written - waiting >= writtenThen { (behindSince, writtenThen) = (now, written) }
        let progress = written - waiting - taken
        guard since == nil || progress >= Self.step else { return }
        since = now
        taken += max(progress, 0)
    }
}
