extension Feature {
    /// No page of its own: the list, comparisons, environments and the time machine show matrices.
    static let matrix = Feature(routes: [], styles: ["matrix"], scripts: ["copying-values"])
}
