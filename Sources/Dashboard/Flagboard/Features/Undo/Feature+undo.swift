extension Feature {
    /// The last change of a viewer, at the foot of each page.
    static let undo = Feature(
        routes: [],
        styles: ["own-change"])
}
