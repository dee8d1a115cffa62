/// How much a list of flags says of each.
enum ListDensity: String, CaseIterable, Hashable, Sendable {
    /// One line a flag: what it is for is told where the row is pointed at or opened.
    case compact
    /// What a flag is for, its tags and its type stand below it.
    case roomy

    /// Up to how many flags have room to say everything.
    private static let mostRoomy = 20

    /// What fits a number of flags, where the person who looks has chosen neither.
    ///
    /// - Parameter count: How many flags there are, whatever the list is narrowed to: it does not change its look by that.
    /// - Returns: The density.
    static func usual(for count: Int) -> ListDensity { count > mostRoomy ? .compact : .roomy }
}
