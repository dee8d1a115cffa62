import Hummingbird
import Logging

extension Dashboard {
    /// Answers a change that was made.
    ///
    /// The change is durable by then. Where the rest of the answer can't be read any more, a plain answer says just that it was
    /// made: an error would read as though nothing had been changed.
    ///
    /// - Parameters:
    ///   - context: The request; its log gets what could not be read.
    ///   - plain: Makes an answer without looking at files or history.
    func answer(
        toMade context: DashboardContext, _ answer: () async throws -> Response, orPlain plain: () throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch {
            context.logger.warning("A change was made, but what its answer tells besides can't be read: \(error)")
            return try plain()
        }
    }
}
