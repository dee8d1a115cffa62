import FeatureFlags
import FlagChanges
import FlagHistory
import FlagReferences

/// The lines around a place in the source code, with their flags.
///
/// It shows only lines near a visible flag, and none that mentions a hidden one.
struct SourcePage: PageModel {
    static let template = "source"
    /// Lines on each side of the requested one, and of the nearest mention of a flag.
    private static let distance = 20

    let frame: PageFrame
    let file: String
    let range: String
    let lines: [Line]
    let flags: [TextLink]
    /// The flag nearest to the requested line.
    let flagLink: TextLink?

    /// A line, or a run of hidden ones.
    struct Line: Hashable, PagePart {
        let number: Int
        let text: String
        let isWanted: Bool
        let isHidden: Bool
    }

    /// `nil` if the file has no such line or no flag is near it.
    init?(
        frame: PageFrame, file: String, line: Int, source: SourceLines, flags: [FlagKeyPath: [Int]]
    ) {
        guard line >= 1, line <= source.count, let shown = Self.range(around: line, of: source.count, flags) else {
            return nil
        }
        self.frame = frame.titled("\(file):\(line)", in: .flags)
        self.file = file
        range = "Lines \(shown.lowerBound)–\(shown.upperBound) of \(source.count)"
        lines = Self.lines(source, shown, wanted: line)
        self.flags = flags.filter { $0.value.contains(where: shown.contains) }.keys.sorted()
            .map { TextLink(label: $0.shownText, href: PageLink.flag($0)) }
        flagLink = Self.nearest(to: line, flags).map { TextLink(label: $0.shownText, href: PageLink.flag($0)) }
    }

    private static func nearest(to line: Int, _ flags: [FlagKeyPath: [Int]]) -> FlagKeyPath? {
        flags.keys.sorted().min { distance(line, flags[$0]) < distance(line, flags[$1]) }
    }

    private static func distance(_ line: Int, _ mentions: [Int]?) -> Int {
        mentions?.map { abs($0 - line) }.min() ?? .max
    }

    /// Returns lines near a flag; `nil` if the line itself isn't.
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

    private static func lines(_ source: SourceLines, _ shown: ClosedRange<Int>, wanted: Int) -> [Line] {
        var (lines, first) = ([Line](), shown.lowerBound)
        while first <= shown.upperBound {
            let end = (first...shown.upperBound).first { source[$0] != nil } ?? shown.upperBound + 1
            if end > first {
                let count = end - first
                lines.append(
                    Line(
                        number: first,
                        text: count == 1 ? "1 line hidden" : "\(count) lines hidden",
                        isWanted: (first..<end).contains(wanted), isHidden: true))
            }
            if let text = source[end] {
                lines.append(Line(number: end, text: text, isWanted: end == wanted, isHidden: false))
            }
            first = end + 1
        }
        return lines
    }
}

/// The lines of a source file, without those that mention an internal flag.
struct SourceLines {
    /// In characters.
    private static let width = 400
    private let lines: [Substring]
    private let hidden: HiddenLines

    init(_ text: String, hidden: HiddenLines = HiddenLines()) {
        // As the compiler counts lines; Unicode has more line ends.
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
        self.hidden = hidden
    }

    var count: Int { lines.count }

    /// The text of a line, from 1, as a page shows it; `nil` if it is hidden or there is none.
    subscript(number: Int) -> String? {
        guard lines.indices.contains(number - 1), !hidden.contains(number, lines[number - 1]) else { return nil }
        let line = lines[number - 1]
        let parts = ShownPart.parts(of: String(line.prefix(Self.width)), breaksLines: false)
        return parts.map(\.plain).joined() + (line.count > Self.width ? "…" : "")
    }
}

struct HiddenLines {
    private let places: [ClosedRange<Int>]
    /// Key paths, which comments or strings may contain.
    private let texts: [String]

    init(_ places: [ClosedRange<Int>] = [], _ texts: [String] = []) { (self.places, self.texts) = (places, texts) }

    /// A declaration unknown to the dashboard is hidden too: it may be an internal flag whose key path is only known at
    /// run time.
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
        // A single component may be any word, so only its string literal counts.
        texts = hidden.map { $0.components.count > 1 ? $0.text : "\"\($0.text)\"" }
    }

    func contains(_ number: Int, _ text: Substring) -> Bool {
        places.contains { $0.contains(number) } || texts.contains { text.contains($0) }
    }
}
