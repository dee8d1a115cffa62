import FeatureFlags

/// What a refused request is answered with: what is wrong, with which flag, and what to do.
struct RefusalPage: PageModel {
    static let template = "refusal"

    let frame: PageFrame
    let status: Int
    let heading: String
    let message: String
    let remedy: String
    /// The flag that the request was about.
    let flagLink: TextLink?
    /// What was typed, or what stands against it, in full.
    let values: [TypedValue]
    let hasValues: Bool

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - status: The HTTP status.
    ///   - title: What is wrong, in a few words.
    ///   - message: What is wrong, in a sentence.
    ///   - remedy: What to do, in a sentence.
    ///   - flag: The flag that the request was about, where it may be known.
    ///   - values: What was typed, or what stands against it: base, theirs and yours at a conflict.
    init(
        frame: PageFrame, status: Int, title: String, message: String, remedy: String, flag: FlagKeyPath? = nil,
        values: [TypedValue] = []
    ) {
        self.frame = frame.titled(title, in: nil)
        self.status = status
        heading = title
        self.message = message
        self.remedy = remedy
        flagLink = flag.map { TextLink(label: $0.text, href: PageLink.flag($0)) }
        self.values = values
        hasValues = !values.isEmpty
    }
}

/// A value to show in full beside what it is.
struct TypedValue: Hashable, Sendable {
    let label: String
    let text: String
}
