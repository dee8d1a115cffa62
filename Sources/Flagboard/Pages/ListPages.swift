/// The way through a list that is too long for one page.
struct ListPages: Hashable, Sendable {
    /// How many flags a page holds.
    static let size = 250

    let text: String
    let previousHref: String?
    let nextHref: String?

    /// Leads through a list, unless one page holds all of it.
    ///
    /// - Parameters:
    ///   - count: How many flags are to be listed.
    ///   - filter: Which ones, and which page of them.
    init?(count: Int, _ filter: FlagFilter) {
        guard count > Self.size else { return nil }
        let range = Self.range(of: count, filter)
        let page = range.lowerBound / Self.size + 1
        text = "Flags \(range.lowerBound + 1) to \(range.upperBound) of \(count)"
        previousHref = page > 1 ? filter.with(\.page, page - 1).href : nil
        nextHref = range.upperBound < count ? filter.with(\.page, page + 1).href : nil
    }

    /// The flags on a page, by their places in the whole list.
    ///
    /// - Parameters:
    ///   - count: How many flags are to be listed.
    ///   - filter: Which page of them; the last one where there is none of its number.
    /// - Returns: The places.
    static func range(of count: Int, _ filter: FlagFilter) -> Range<Int> {
        let first = min(filter.page - 1, max(0, count - 1) / size) * size
        return first..<min(first + size, count)
    }
}
