import FlagHistory

extension ChangeService {
    /// Keeps that the app was restarted, so that nothing waits for that any more, apart from changes after `row`.
    ///
    /// - Parameters:
    ///   - row: The newest row of the history that the app has taken up (``PendingRestart/lastRow``); `nil` for the newest
    ///     that there is.
    ///   - author: Who reports it: an editor or an admin.
    /// - Throws: ``ChangeError`` where the author may not, or it can't be kept.
    public func recordRestart(after row: Int64? = nil, by author: ChangeAuthor) async throws(ChangeError) {
        _ = try await reader.state()
        if isReadOnly { throw .readOnly() }
        guard author.role != .viewer else {
            throw ChangeError(
                .notAllowed,
                "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and may not report a restart.",
                remedy: "Ask an editor or an admin to do it.")
        }
        let (history, now) = (history, context.options.clock())
        let result = await context.onDisk {
            Result { () throws(HistoryStoreError) in
                try history.recordRestart(after: row, at: now, actor: author.name)
            }
        }
        do {
            try result.get()
        } catch {
            throw ChangeError(storing: error)
        }
        await served.tellRestart()
    }
}
