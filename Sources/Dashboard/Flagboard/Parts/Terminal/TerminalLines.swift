/// How a flag, or a change, is asked for from a terminal, to be copied.
struct TerminalLines: Hashable, PagePart {
    let groups: [Group]
    /// Whether curl needs a token.
    let needsToken: Bool

    /// Lines that do the same.
    struct Group: Hashable, PagePart {
        let heading: String
        let lines: [Line]
    }

    /// One line.
    struct Line: Hashable, PagePart {
        /// What it is called where it is copied: `curl line to read it`.
        let name: String
        let text: String
    }
}
