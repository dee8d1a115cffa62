import Foundation

struct ListPages: Hashable, PagePart {
    static let size = 100

    let text: String
    let firstHref: String?
    let previousHref: String?
    let nextHref: String?
    let lastHref: String?

    init?(count: Int, page: Int, size: Int = Self.size, href: (Int) -> String) {
        guard count > size else { return nil }
        let range = Self.range(of: count, page: page, size: size)
        let page = range.lowerBound / size + 1
        let last = Self.lastPage(of: count, size: size)
        text = "Flags \(range.lowerBound + 1) to \(range.upperBound) of \(count), page \(page) of \(last)"
        firstHref = page > 2 ? href(1) : nil
        previousHref = page > 1 ? href(page - 1) : nil
        nextHref = page < last ? href(page + 1) : nil
        lastHref = page < last - 1 ? href(last) : nil
    }

    /// The last page's rows if the number is too high.
    static func range(of count: Int, page: Int, size: Int = Self.size) -> Range<Int> {
        let first = min(page, lastPage(of: count, size: size)) - 1
        return first * size..<min((first + 1) * size, count)
    }

    /// `nil` if the page exists.
    static func problem(count: Int, page: Int, size: Int = Self.size) -> String? {
        let last = lastPage(of: count, size: size)
        guard page > last else { return nil }
        return
            "The list has no page \(page). This is \(last == 1 ? "the only page" : "page \(last), the last one")."
    }

    private static func lastPage(of count: Int, size: Int) -> Int { max(0, count - 1) / size + 1 }
}
