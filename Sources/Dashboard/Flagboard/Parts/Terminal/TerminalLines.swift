/// How a flag, or a change, is asked for from a terminal, to be copied.
struct TerminalLines: Hashable, Sendable {
    let groups: [Group]
    /// Whether curl needs a token.
    let needsToken: Bool

    /// Lines that do the same.
    struct Group: Hashable, Sendable {
        let heading: String
        let lines: [Line]
    }

    /// One line.
    struct Line: Hashable, Sendable {
        /// What it is called where it is copied: `curl line to read it`.
        let name: String
        let text: String
    }
}

extension TerminalLines: PagePart {
    static let fields: PageFields<Self> = ["groups": .of(\.groups), "needsToken": .of(\.needsToken)]
}

extension TerminalLines.Group: PagePart {
    static let fields: PageFields<Self> = ["heading": .of(\.heading), "lines": .of(\.lines)]
}

extension TerminalLines.Line: PagePart {
    static let fields: PageFields<Self> = ["name": .of(\.name), "text": .of(\.text)]
}
