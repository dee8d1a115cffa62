extension ViewerSettings.Density {
    /// Up to how many flags have room to say everything.
    private static let mostRoomy = 20

    /// What fits a number of flags, where the person who looks has chosen neither.
    ///
    /// - Parameter count: How many flags there are, whatever the list is narrowed to: it does not change its look by that.
    static func usual(for count: Int) -> Self { count > mostRoomy ? .compact : .roomy }
}

extension ViewerSettings {
    /// The columns of the list that were chosen, without those that there aren't.
    var listColumns: [ListColumn] { columns.compactMap(ListColumn.init(rawValue:)) }
}
