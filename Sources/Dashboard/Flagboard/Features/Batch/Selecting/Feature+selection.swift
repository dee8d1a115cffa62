extension Feature {
    /// Changes to the flags selected in the list.
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
                ? "It is about every flag of a list." : "It is about \(FlagListWords.count(form.count(of: "key")))."
        }, formOn: flags)
}
