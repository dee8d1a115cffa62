import Foundation

/// Words with how long ago something was among them, which a script keeps true while the page stays open.
struct TimedText: Hashable, PagePart {
    /// What stands before the time.
    let before: String
    /// The time; `nil` where the words tell none.
    let ago: AgoText?
    /// What stands behind it.
    let after: String

    /// Puts words together.
    ///
    /// - Parameters:
    ///   - before: What stands before the time.
    ///   - date: The time; `nil` for none.
    init(_ before: String, _ date: Date? = nil, _ after: String = "", now: Date) {
        self.before = before
        ago = date.map { AgoText($0, now: now) }
        self.after = after
    }

    /// Puts words together, by default without a time.
    init(before: String, ago: AgoText? = nil, after: String = "") {
        (self.before, self.ago, self.after) = (before, ago, after)
    }

    /// The words in parentheses.
    var inParentheses: TimedText { TimedText(before: "(\(before)", ago: ago, after: "\(after))") }

    /// The words as the page shows them at first.
    var plain: String { "\(before)\(ago?.agoText ?? "")\(after)" }
}
