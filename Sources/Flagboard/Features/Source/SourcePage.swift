import FeatureFlags

/// The lines around a place in the source code, with the flags that they are about.
struct SourcePage: PageModel {
    static let template = "source"
    /// How many lines are shown on each side of the one that was asked for.
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
    let hasFlags: Bool

    /// A line.
    struct Line: Hashable, Sendable {
        let number: Int
        let text: String
        /// Whether it is the one that was asked for.
        let isWanted: Bool
    }

    /// Makes the page; `nil` where the file has no such line.
    ///
    /// - Parameters:
    ///   - frame: What is around it.
    ///   - file: The file's path from the folder of the source code.
    ///   - line: The line, from 1.
    ///   - text: What the file holds.
    ///   - flags: The flags that it is about, each with the lines.
    init?(frame: PageFrame, file: String, line: Int, text: String, flags: [FlagKeyPath: [Int]]) {
        // What the compiler counts lines by; Unicode has more that end one.
        var all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        if all.count > 1, all.last?.isEmpty == true { all.removeLast() }
        guard line >= 1, line <= all.count else { return nil }
        let shown = max(0, line - 1 - Self.distance)...min(all.count - 1, line - 1 + Self.distance)
        self.frame = frame.titled("\(file):\(line)", in: .flags)
        self.file = file
        range = "Lines \(shown.lowerBound + 1) to \(shown.upperBound + 1) of \(all.count)"
        lines = shown.map { place in
            let isLong = all[place].count > Self.width
            let parts = ShownPart.parts(of: String(all[place].prefix(Self.width)), breaksLines: false)
            return Line(
                number: place + 1, text: parts.map(\.plain).joined() + (isLong ? "…" : ""), isWanted: place == line - 1)
        }
        self.flags = flags.filter { $0.value.contains { shown.contains($0 - 1) } }.keys.sorted()
            .map { TextLink(label: $0.shownText, href: PageLink.flag($0)) }
        hasFlags = !self.flags.isEmpty
    }
}

extension SourcePage {
    static let fields: PageFields<Self> = [
        "frame": .of(\.frame), "file": .of(\.file), "range": .of(\.range), "lines": .of(\.lines), "flags": .of(\.flags),
        "hasFlags": .of(\.hasFlags),
    ]
}

extension SourcePage.Line: PagePart {
    static let fields: PageFields<Self> = [
        "number": .of(\.number), "text": .of(\.text), "isWanted": .of(\.isWanted),
    ]
}
