import FeatureFlags
import FlagChanges
import FlagCode
import FlagHistory
import FlagReferences
import Logging

/// Looks repeatedly, so that no page waits for the source code.
struct SourceWatch {
    private static let pause = Duration.seconds(2)
    /// The pause as a multiple of the look's duration, to leave most time to the pages.
    private static let rest = 20

    let index: SourceIndex
    let service: ChangeService
    let logger: Logger

    func run() async {
        var (known, trouble): ([SourceProblem], String?) = ([], nil)
        do {
            while true {
                let start = ContinuousClock.now
                do {
                    known = try await look(besides: known)
                    trouble = nil
                } catch let error where !(error is CancellationError) {
                    // Such as a damaged history, until it is repaired.
                    if trouble != "\(error)" { logger.warning("Can't read the source code: \(error)") }
                    trouble = "\(error)"
                }
                try await Task.sleep(for: max(Self.pause, (ContinuousClock.now - start) * Self.rest))
            }
        } catch {
            // The task is cancelled.
        }
    }

    /// Logs the problems that are not in `known`.
    private func look(besides known: [SourceProblem]) async throws -> [SourceProblem] {
        let overview = try await service.overview()
        // Internal flags too, so that pages can hide their lines.
        let keys = overview.catalogue.entries.map(\.key) + overview.hiddenKeys.flags.sorted()
        let problems = try await index.look(for: Set(keys), generated: SwiftNames.properties(of: keys)).problems
        for problem in problems where !known.contains(problem) {
            logger.warning("Skipped \(problem.file): \(problem.reason)")
        }
        return problems
    }
}
