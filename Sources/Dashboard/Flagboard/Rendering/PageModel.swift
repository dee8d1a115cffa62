/// What one template shows.
protocol PageModel: PagePart {
    /// The name of the template: its file's name, without `.mustache`.
    static var template: String { get }
}
