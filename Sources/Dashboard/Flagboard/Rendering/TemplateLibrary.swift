import Foundation

/// Every page's template, loaded, checked and bound to its page when the library is made, so that a fault in one stops the
/// launch rather than showing as a gap in a page.
struct TemplateLibrary: Sendable {
    /// The pages that the dashboard shows; each needs its template.
    static let pages: [any PageModel.Type] = [
        FlagListPage.self,
        FlagPage.self,
        HistoryListPage.self,
        ChangePage.self,
        ExportPage.self,
        ImportPage.self,
        ErrorPage.self,
        BareErrorPage.self,
        SignInPage.self,
        ArrivalPage.self,
        ResumableFormPage.self,
        AccessPage.self,
        WebhooksPage.self,
        BatchPage.self,
        HelpPage.self,
        SettingsPage.self,
        SearchesPage.self,
        APIPage.self,
        ComparePage.self,
        EnvironmentsPage.self,
        SourcePage.self,
        TimeMachinePage.self,
        DefinitionPage.self,
    ]

    private let templates: [String: CompiledTemplate]

    /// The template that says where the style sheets and scripts are, for all others to include.
    private static let assets = "assets"

    /// Loads every template of a directory and of those in it, each known by its name alone.
    ///
    /// - Parameters:
    ///   - directory: Where the files with the ending `.mustache` are.
    ///   - assets: The path of the folder that pages find style sheets, scripts and icons in; empty for the root.
    ///   - mount: The path below which the dashboard is served.
    ///   - pages: The pages that there are templates for.
    /// - Throws: ``TemplateError`` where a file can't be read, is not safe or not mustache, where a template that another
    ///   or a page refers to doesn't exist, or where one shows what its page doesn't have.
    init(
        directory: URL, assets: String = "", below mount: MountPath = .root, pages: [any PageModel.Type] = Self.pages
    ) throws {
        let sources =
            try Self.sources(in: directory) + [Self.source(Self.assets, mount.address(of: assets))]
            + Route.all.map { try Self.source("to-\($0.name)", mount.address(of: $0.prefix)) }
        let names = Set(sources.map(\.name))
        if let twice = sources.map(\.name).first(where: { name in sources.count { $0.name == name } > 1 }) {
            throw TemplateError.syntax(twice, reason: "two files have this name.")
        }
        for source in sources {
            if let missing = source.references.first(where: { !names.contains($0) }) {
                throw TemplateError.missing(missing, in: source.name)
            }
        }
        var compiler = TemplateCompiler(sources, below: mount)
        var templates: [String: CompiledTemplate] = [:]
        for page in pages { templates[page.template] = try compiler.compile(page) }
        self.templates = templates
    }

    /// Renders a page.
    ///
    /// - Parameter page: What to show.
    /// - Returns: The page as HTML, in UTF-8.
    /// - Throws: ``TemplateError`` where the page is not among those that the library was made for.
    func render<Page: PageModel>(_ page: Page) throws(TemplateError) -> [UInt8] {
        guard let template = templates[Page.template] else { throw TemplateError.noSuchPage(Page.template) }
        return template.render(page)
    }

    /// A template that holds an address.
    private static func source(_ name: String, _ address: String) throws(TemplateError) -> TemplateSource {
        try TemplateSource(name: name, text: TemplateSource.opening + address)
    }

    private static func sources(in directory: URL) throws -> [TemplateSource] {
        let ending = ".mustache"
        let paths = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
        let files = paths.filter { $0.hasSuffix(ending) }.sorted()
        guard !files.isEmpty else { throw TemplateError.noTemplates(in: directory.path) }
        return try files.map { file in
            let name = String(URL(filePath: file).lastPathComponent.dropLast(ending.count))
            do {
                let text = try String(contentsOf: directory.appending(path: file), encoding: .utf8)
                return try TemplateSource(name: name, text: text)
            } catch let error as TemplateError {
                throw error
            } catch {
                throw TemplateError.unreadable(name, reason: error.localizedDescription)
            }
        }
    }
}
