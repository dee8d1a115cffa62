import FeatureFlags

/// Lines of a source file that tell of a flag or a group.
package struct ToldLines: Hashable, Sendable {
    /// What lines tell of.
    package enum Subject: Hashable, Sendable {
        case flag(FlagKeyPath)
        case group(FlagKeyPath)
        /// A flag whose key path only the running program knows.
        case untold
    }

    /// What they tell of.
    package let subject: Subject
    /// The lines, from 1.
    package let lines: ClosedRange<Int>

    init(of subject: Subject, _ lines: ClosedRange<Int>) {
        (self.subject, self.lines) = (subject, lines)
    }
}
