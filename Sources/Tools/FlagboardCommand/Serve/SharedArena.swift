import CMemoryCalls
import Logging

/// How the C library keeps memory that was given back.
enum SharedArena {
    /// Has all threads take memory from one arena: with one for each thread, a large answer that several of them make in turn
    /// leaves its memory in each.
    ///
    /// - Parameter logger: What is told where that can't be had; the server then holds more memory, and works.
    static func choose(_ logger: Logger) {
        if flagboard_share_arena() == 0 {
            logger.warning("all threads can't share one arena of memory, so more memory is held")
        }
    }
}
