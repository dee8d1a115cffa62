import FeatureFlagsXML
import FlagHistory
import Foundation

extension FilesTransaction {
    /// Restores the files when the changes could not be completed, and stops writing until a restart has recovered.
    func takeBack(_ installed: [Replacement], because cause: String, isFull: Bool) -> Failure {
        for replacement in installed.reversed() {
            context.options.log("a change of \(replacement.edit.path) is taken back: \(cause)")
            if let problem = putBack(replacement, because: cause, isFull: isFull) { return problem }
        }
        do throws(FileAccessError) {
            try synchronizeFolders(of: installed)
        } catch {
            context.options.log("the files were put back, which a loss of power may undo: \(error.description)")
        }
        return takenBack(because: cause, isFull: isFull)
    }

    /// Puts back what a file held.
    ///
    /// - Returns: What is wrong where that is not possible; whatever the file holds then stays.
    func putBack(_ replacement: Replacement, because cause: String, isFull: Bool = false) -> Failure? {
        let name = replacement.edit.url.lastPathComponent
        do throws(FileAccessError) {
            if try replacement.files.takeBack(replacement.edit.after.data) { return nil }
            return suspended(
                "The change was in \(name), but it could not be completed (\(cause)), and another program has written the "
                    + "file since.", isFull: isFull)
        } catch {
            return suspended(
                "The change is in \(name), but it could not be completed (\(cause)), and the file could not be put back "
                    + "(\(error)).", isFull: isFull)
        }
    }

    func takenBack(because cause: String, isFull: Bool) -> Failure {
        .suspended(
            ChangeRefusal(
                isFull ? .full : .unavailable, "The change could not be completed: \(cause)",
                remedy: "The file was put back as it was. Remove the cause, then restart Flagboard and try again."),
            Obstacle(
                "The last change could not be completed and was taken back: \(cause). Remove the cause, then restart Flagboard."
            ))
    }

    /// Stops writing where a file may hold what the history does not.
    func suspended(_ text: String, isFull: Bool) -> Failure {
        .suspended(
            ChangeRefusal(
                isFull ? .full : .unavailable, text,
                remedy: "Don't repeat the change: restart Flagboard, which then records what the file holds."),
            Obstacle(
                "The last change could be neither completed nor taken back. Restart Flagboard: it recovers at start-up."
            ))
    }
}
