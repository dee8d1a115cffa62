extension Feature {
    static let undo = Feature(
        routes: [],
        styles: ["own-change"])
}
