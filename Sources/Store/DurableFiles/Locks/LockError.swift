/// Why a lock is not held.
package enum LockError: Error {
    /// Another process holds it.
    case held(path: String, holder: String, otherName: String)
    /// The file or folder with the lock can't be used.
    case unusable(path: String, cause: String)

    /// Runs a body whose failure makes the lock unusable.
    static func unlessFailing<Value>(
        _ body: () throws(FileAccessError) -> Value
    ) throws(LockError) -> Value {
        do {
            return try body()
        } catch {
            throw .unusable(path: error.path, cause: error.clause)
        }
    }
}
