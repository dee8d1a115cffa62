import FeatureFlags
import FlagChanges
import FlagReferences
import Logging
import ServiceLifecycle

/// Looks at the source code again and again for as long as the process serves, so that no page waits for that.
struct SourceWatch: Service {
    /// The shortest time between two looks.
    private static let pause = Duration.seconds(2)
    /// How many times as long as a look took nothing is looked at: most of the time belongs to the pages.
    private static let rest = 20

    let index: SourceIndex
    let service: ChangeService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                var told: [SourceProblem] = []
                while true {
                    let start = ContinuousClock.now
                    let keys = Set(try await service.overview().catalogue.entries.map(\.key))
                    let findings = try await index.look(for: keys)
                    for problem in findings.problems where !told.contains(problem) {
                        logger.warning("\(problem.file) was not read: \(problem.reason)")
                    }
                    told = findings.problems
                    try await Task.sleep(for: max(Self.pause, (ContinuousClock.now - start) * Self.rest))
                }
            } catch is CancellationError {
                // The process ends.
            } catch {
                logger.warning("Source code is not looked at any more: \(error)")
            }
        }
    }
}
