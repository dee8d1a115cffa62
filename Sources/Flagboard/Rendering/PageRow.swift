import Mustache

/// What reads each property of a row, by its name.
typealias Fields<Row> = [String: @Sendable (Row) -> Any?]

/// What a page may have many of: its stored properties are listed, since reading them by reflection takes longer than all
/// the rest, and a test holds the list against them.
protocol PageRow: MustacheParent, Sendable {
    /// All of its stored properties.
    static var fields: Fields<Self> { get }
}

extension PageRow {
    /// The property of this name; `nil` where it is absent, or where there is none.
    func child(named name: String) -> Any? {
        guard let read = Self.fields[name] else { return nil }
        return read(self)
    }
}
