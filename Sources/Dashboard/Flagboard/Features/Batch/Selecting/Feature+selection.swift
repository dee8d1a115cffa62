extension Feature {
    static let selection = Feature(
        routes: [.selection],
        styles: ["selecting"],
        scripts: ["selecting"])
}

extension Route {
    static let selection = Route(
        "selection", "/selected", post: Dashboard.previewSelection,
        resuming: { form in
            form["extent"] == "all"
                ? "It previews a change to all flags in a list."
                : "It previews a change to \(FlagListWords.count(form.count(of: "key")))."
        }, formOn: flags)
}
