import FeatureFlags
import FlagHistory
import Foundation

extension ChangeService {
    /// Keeps an attempt that was refused, as far as the number and the size of such rows allow.
    ///
    /// The refusal is the answer, whatever becomes of the row.
    func recordDenied(_ change: Change, by author: ChangeAuthor, _ refusal: ChangeRefusal) {
        let now = options.clock()
        guard let definition = currentCatalogue()[change.key]?.definition, deniedAttempts.admits(at: now) else {
            return
        }
        let file = file(for: change)
        let before = file.flatMap { stored(change.key, in: $0) }
        let reason = [refusal.description, change.reason].filter { !$0.isEmpty }
            .map { $0.shortened(to: Self.longestDeniedText) }.joined(separator: " Reason given: ")
        let event = HistoryEvent(
            batch: UUID(), at: now, actor: author.name.shortened(to: Self.longestDeniedText),
            role: author.role.rawValue, origin: author.origin, kind: .denied, provider: file?.provider.name,
            key: change.key, type: definition.type, before: before?.shortened(to: Self.longestDeniedText),
            after: asked(change, definition, replacing: before)?.shortened(to: Self.longestDeniedText),
            reason: reason, requestID: author.requestID?.shortened(to: Self.longestDeniedText))
        do {
            _ = try history.append([event], head: nil)
        } catch {
            options.log("a refused attempt could not be recorded: \(error.description)")
        }
    }

    /// The most Unicode scalars that a denied row keeps of a text that came with the request.
    private static let longestDeniedText = 1000

    private func stored(_ key: FlagKeyPath, in file: Workspace.Values) -> FlagValue? {
        let snapshot = workspace.snapshots(isReadOnly: true).first { $0.name == file.provider.name }
        return try? snapshot?.storedValue(at: key)
    }

    /// What somebody asked for; text that is no value of the flag stays text.
    private func asked(_ change: Change, _ definition: FlagDefinition, replacing before: FlagValue?) -> FlagValue? {
        switch change.action {
        case .reset: return nil
        case .setValue(let value): return value
        case .setJSON(let json): return (try? definition.parse(json: json, replacing: before)) ?? json
        case .setText(let text):
            let text = text.shortened(to: Self.longestDeniedText)
            return (try? definition.parse(text, replacing: before)) ?? .string(text)
        }
    }
}

extension String {
    /// The first scalars, with `…` in place of the rest.
    func shortened(to count: Int) -> String {
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return self }
        return String(scalars[..<end]) + "…"
    }
}

extension FlagValue {
    /// The value where its text form has at most so many bytes; else its text shortened, or what it is in a few words.
    fileprivate func shortened(to count: Int) -> FlagValue {
        if case .success(let text) = Result(catching: { try encodedText() }), text.utf8.count <= count { return self }
        if case .string(let text) = self { return .string(text.shortened(to: count)) }
        return .string(briefDescription)
    }
}
