import Flagboard
import Foundation

/// The folder with the templates and the style sheet that the pages are made of.
enum Resources {
    /// Looks where ``DashboardResources`` does.
    ///
    /// - Returns: The folder.
    /// - Throws: ``StartError`` where there is none.
    static func locate() throws -> URL {
        do {
            return try DashboardResources.locate()
        } catch {
            throw StartError(error.description)
        }
    }
}
