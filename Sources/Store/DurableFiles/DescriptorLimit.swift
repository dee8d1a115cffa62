import Foundation

/// The number of files and connections that this process can have open at once.
package enum DescriptorLimit {
    /// The most to ask for: the largest number of event streams, with room to spare.
    private static let most = 65_536
    /// Foundation closes descriptors up to such a number in a program that it starts, and fails if there are fewer.
    private static let fewestToStartPrograms = 256

    /// Raises the limit as far as the system allows, and returns it.
    @discardableResult
    package static func raise() throws(PlainError) -> Int {
        var limits = try current()
        let wanted = max(limits.rlim_cur, min(limits.rlim_max, rlim_t(most)))
        if wanted > limits.rlim_cur {
            var raised = limits
            raised.rlim_cur = wanted
            // If the system refuses, the old limit holds.
            if setrlimit(noFile, &raised) == 0 { limits = raised }
        }
        return Int(clamping: limits.rlim_cur)
    }

    /// Throws if the limit is too low to start another program.
    package static func check(toStart program: String) throws(PlainError) {
        let limit = try raise()
        guard limit < fewestToStartPrograms else { return }
        throw PlainError(
            "This process can open \(limit) files and connections, but needs \(fewestToStartPrograms) to start "
                + "\(program). Raise the limit (ulimit -n).")
    }

    private static func current() throws(PlainError) -> rlimit {
        var limits = rlimit()
        guard getrlimit(noFile, &limits) == 0 else {
            throw PlainError("can't read the limit of open files: \(String(cString: strerror(errno)))")
        }
        return limits
    }

    #if canImport(Darwin)
        private static let noFile = RLIMIT_NOFILE
    #else
        private static let noFile = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
}
