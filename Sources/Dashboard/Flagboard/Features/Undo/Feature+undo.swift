extension Feature {
    /// The viewer's last change, at the foot of each page.
    static let undo = Feature(
        routes: [],
        styles: ["own-change"])
}
