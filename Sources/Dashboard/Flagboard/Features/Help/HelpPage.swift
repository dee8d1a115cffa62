/// What the words mean, and which keys do what.
struct HelpPage: PageModel {
    static let template = "help"

    let frame: PageFrame

    /// Makes the page.
    init(frame: PageFrame) {
        self.frame = frame.titled("Help", in: .help)
    }
}

extension HelpPage {
}
