import FeatureFlags
import FlagChanges
import FlagCode
import FlagHistory
import FlagReferences
import Logging

/// Looks at the source code again and again, so that no page waits for that.
struct SourceWatch {
    /// The shortest time between two looks.
    private static let pause = Duration.seconds(2)
    /// How many times as long as a look took nothing is looked at: most of the time belongs to the pages.
    private static let rest = 20

    let index: SourceIndex
    let service: ChangeService
    let logger: Logger

    /// Looks until the task is cancelled.
    func run() async {
        var (told, trouble): ([SourceProblem], String?) = ([], nil)
        do {
            while true {
                let start = ContinuousClock.now
                do {
                    told = try await look(besides: told)
                    trouble = nil
                } catch let error where !(error is CancellationError) {
                    // Such as a history that is damaged, until it is mended.
                    if trouble != "\(error)" { logger.warning("Source code can't be looked at now: \(error)") }
                    trouble = "\(error)"
                }
                try await Task.sleep(for: max(Self.pause, (ContinuousClock.now - start) * Self.rest))
            }
        } catch {
            // The task is cancelled.
        }
    }

    /// Looks once, and tells of what can't be read.
    ///
    /// - Parameter told: What was told of before.
    /// - Throws: Why nothing can be looked at; `CancellationError` where the process ends.
    private func look(besides told: [SourceProblem]) async throws -> [SourceProblem] {
        let overview = try await service.overview()
        // Internal flags too, so that no page shows what code says of them.
        let keys = overview.catalogue.entries.map(\.key) + overview.hiddenKeys.flags.sorted()
        let problems = try await index.look(for: Set(keys), generated: SwiftNames.properties(of: keys)).problems
        for problem in problems where !told.contains(problem) {
            logger.warning("\(problem.file) was not read: \(problem.reason)")
        }
        return problems
    }
}
