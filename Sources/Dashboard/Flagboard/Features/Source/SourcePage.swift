import FeatureFlags
import FlagChanges
import FlagHistory
import FlagReferences

/// The lines around a place in the source code, with the flags that they are about.
///
/// Only lines near a place of a flag that may be seen are shown, and of those none that tells of another flag.
struct SourcePage: PageModel {
    static let template = "source"
    /// How many lines are shown on each side of the one that was asked for, and of the nearest place of a flag.
    private static let distance = 20
    /// How many characters of a line are shown.
    private static let width = 400

    let frame: PageFrame
    let file: String
    /// Which lines these are.
    let range: String
    let lines: [Line]
    /// The flags that the shown lines are about.
    let flags: [TextLink]

    /// A line, or several one after the other that are not shown.
    struct Line: Hashable, PagePart {
        /// The number of the first one.
        let number: Int
        /// What it holds, or that it is not shown.
        let text: String
        /// Whether it is the one that was asked for.
        let isWanted: Bool
        let isHidden: Bool
    }

    /// Makes the page; `nil` where the file has no such line, or no flag is near it.
    ///
    /// - Parameter hidden: What must not appear.
    init?(
        frame: PageFrame, file: String, line: Int, text: String, flags: [FlagKeyPath: [Int]],
        hidden: HiddenLines = HiddenLines()
    ) {
        // What the compiler counts lines by; Unicode has more that end one.
        var all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        if all.count > 1, all.last?.isEmpty == true { all.removeLast() }
        guard line >= 1, line <= all.count, let shown = Self.range(around: line, of: all.count, flags) else {
            return nil
        }
        self.frame = frame.titled("\(file):\(line)", in: .flags)
        self.file = file
        range = "Lines \(shown.lowerBound) to \(shown.upperBound) of \(all.count)"
        lines = Self.lines(all, shown, hidden, wanted: line)
        self.flags = flags.filter { $0.value.contains(where: shown.contains) }.keys.sorted()
            .map { TextLink(label: $0.shownText, href: PageLink.flag($0)) }
    }

    /// The lines around one, each of them near a place of a flag; `nil` where the one itself is not.
    private static func range(around line: Int, of count: Int, _ flags: [FlagKeyPath: [Int]]) -> ClosedRange<Int>? {
        let window = max(1, line - distance)...min(count, line + distance)
        let places = flags.values.joined().filter { window.lowerBound - distance...window.upperBound + distance ~= $0 }
        let isNear = { (line: Int) in places.contains { abs($0 - line) <= distance } }
        guard isNear(line) else { return nil }
        var (first, last) = (line, line)
        while first > window.lowerBound, isNear(first - 1) { first -= 1 }
        while last < window.upperBound, isNear(last + 1) { last += 1 }
        return first...last
    }

    private static func lines(
        _ all: [Substring], _ shown: ClosedRange<Int>, _ hidden: HiddenLines, wanted: Int
    ) -> [Line] {
        var (lines, first) = ([Line](), shown.lowerBound)
        while first <= shown.upperBound {
            let end = (first...shown.upperBound).first { !hidden.contains($0, all[$0 - 1]) } ?? shown.upperBound + 1
            if end > first {
                let count = end - first
                lines.append(
                    Line(
                        number: first,
                        text: count == 1 ? "This line is not shown." : "These \(count) lines are not shown.",
                        isWanted: (first..<end).contains(wanted), isHidden: true))
            }
            if end <= shown.upperBound {
                let isLong = all[end - 1].count > width
                let parts = ShownPart.parts(of: String(all[end - 1].prefix(width)), breaksLines: false)
                lines.append(
                    Line(
                        number: end, text: parts.map(\.plain).joined() + (isLong ? "…" : ""), isWanted: end == wanted,
                        isHidden: false))
            }
            first = end + 1
        }
        return lines
    }
}

/// Lines of a source file that tell of flags which must not appear.
struct HiddenLines {
    private let places: [ClosedRange<Int>]
    /// The key paths of hidden flags, as a comment or a longer text may have them.
    private let texts: [String]

    /// - Parameters:
    ///   - places: The lines.
    ///   - texts: What no line that is shown has in it.
    init(_ places: [ClosedRange<Int>] = [], _ texts: [String] = []) { (self.places, self.texts) = (places, texts) }

    /// - Parameters:
    ///   - told: The lines that tell of flags and groups.
    ///   - overview: The flags that may be seen. Where no flag is internal, nothing is hidden; else what the code declares and
    ///     the dashboard does not show may be an internal flag whose key path only the running program knows.
    init(_ told: [ToldLines], _ overview: FlagOverview) {
        let (catalogue, hidden) = (overview.catalogue, overview.hiddenKeys.flags)
        guard !hidden.isEmpty else {
            (places, texts) = ([], [])
            return
        }
        places = told.filter { lines in
            switch lines.subject {
            case .flag(let key): catalogue[key] == nil
            case .group(let group): !catalogue.entries.contains { $0.key.components.starts(with: group.components) }
            case .untold: true
            }
        }.map(\.lines)
        // What has one component may be any word.
        texts = hidden.map { $0.components.count > 1 ? $0.text : "\"\($0.text)\"" }
    }

    /// Whether a line must not appear.
    ///
    /// - Returns: `true` where it tells of a hidden flag.
    func contains(_ number: Int, _ text: Substring) -> Bool {
        places.contains { $0.contains(number) } || texts.contains { text.contains($0) }
    }
}
