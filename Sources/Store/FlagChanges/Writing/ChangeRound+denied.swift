import FeatureFlags
import FlagHistory
import Foundation

extension ChangeRound {
    /// Records a refused attempt within limits; the answer doesn't depend on it.
    mutating func recordDenied(_ attempt: ChangePreview, by author: ChangeAuthor) {
        let (change, now) = (attempt.change, context.options.clock())
        guard let refusal = attempt.refusal,
            let definition = workspace.definition(of: change.key, showsInternal: context.options.showsInternal),
            deniedAttempts.admits(at: now)
        else { return }
        let reason = [refusal.description, change.reason].filter { !$0.isEmpty }
            .map { $0.shortened(to: Self.longestDeniedText) }.joined(separator: " Reason given: ")
        let event = HistoryEvent(
            .denied, of: change, by: author.shortened(to: Self.longestDeniedText), at: now, provider: attempt.provider,
            key: change.key, type: definition.type, before: attempt.before?.shortened(to: Self.longestDeniedText),
            after: change.asked(definition, replacing: attempt.before)?.shortened(to: Self.longestDeniedText),
            reason: reason)
        do {
            _ = try context.history.append([event], head: nil)
        } catch {
            context.options.log("can't record a refused attempt: \(error.description)")
        }
    }

    /// The limit in Unicode scalars, for texts from the request.
    private static let longestDeniedText = 1000
}

extension String {
    func shortened(to count: Int) -> String {
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return self }
        return String(scalars[..<end]) + "…"
    }
}

extension FlagValue {
    fileprivate func shortened(to count: Int) -> FlagValue {
        if case .success(let text) = Result(catching: { try encodedText() }), text.utf8.count <= count { return self }
        if case .string(let text) = self { return .string(text.shortened(to: count)) }
        return .string(briefDescription)
    }
}

/// Counts refused attempts, so that their rows can't fill the disk.
struct DenialLimit: Sendable {
    private let limit: Int
    private var windowStart = Date.distantPast
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func admits(at time: Date) -> Bool {
        if abs(time.timeIntervalSince(windowStart)) >= 60 {
            windowStart = time
            count = 0
        }
        guard count < limit else { return false }
        count += 1
        return true
    }
}
