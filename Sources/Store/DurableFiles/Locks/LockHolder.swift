import Foundation

/// What the holder of a lock writes into its file, for a process that finds the lock taken.
package enum LockHolder {
    private static let word = "process "

    /// What this process writes.
    ///
    /// - Parameter address: Where it can be reached; `nil` where that is not known.
    package static func own(at address: String? = nil) -> String {
        let process = word + "\(ProcessInfo.processInfo.processIdentifier)"
        return address.map { "\($0) (\(process))" } ?? process
    }

    /// What there is to say of the holder of a lock.
    ///
    /// Other programs may lock the file too, and leave what a server wrote there that was ended: so it is the holder's own word
    /// only where its process runs, as far as it can be seen from here.
    static func text(of content: Data) -> String {
        let told = String(decoding: content, as: UTF8.self)
        guard !told.isEmpty else { return "another process" }
        guard let number = number(in: told), kill(number, 0) != 0, errno == ESRCH else { return told }
        return
            "another program, which left no name (the last holder, \(told), has ended)"
    }

    private static func number(in text: String) -> pid_t? {
        text.ranges(of: word).last.flatMap { range in
            pid_t(text[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
        }
    }
}
