import Foundation

/// Every page's template, loaded, checked and bound to its page when the library is made, so that a fault in one stops the
/// launch rather than showing as a gap in a page.
struct TemplateLibrary: Sendable {
    private let templates: [String: CompiledTemplate]

    /// The template that says where the style sheets and scripts are, for all others to include.
    private static let assets = "assets"

    /// Loads templates, each known by its name alone, whatever folder it is in.
    ///
    /// - Parameter assets: The path of the folder that pages find style sheets, scripts and icons in; empty for the root.
    /// - Throws: ``TemplateError`` where a file is not safe or not mustache, where a template that another
    ///   or a page refers to doesn't exist, or where one shows what its page doesn't have.
    init(
        _ files: [PageSources.File], assets: String = "", below mount: MountPath = .root,
        addresses: [(name: String, path: String)] = [], pages: [any PageModel.Type] = Self.pages
    ) throws(TemplateError) {
        let sources =
            try Self.sources(of: files) + [Self.source(Self.assets, mount.address(of: assets))]
            + addresses.map { address throws(TemplateError) in
                try Self.source("to-\(address.name)", mount.address(of: address.path))
            }
        let names = Set(sources.map(\.name))
        if let twice = sources.map(\.name).first(where: { name in sources.count { $0.name == name } > 1 }) {
            throw .sameName(twice)
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
    /// - Throws: ``TemplateError`` where the page is not among those that the library was made for.
    func render<Page: PageModel>(_ page: Page) throws(TemplateError) -> [UInt8] {
        guard let template = templates[Page.template] else { throw TemplateError.noSuchPage(Page.template) }
        return template.render(page)
    }

    /// A template that holds an address.
    private static func source(_ name: String, _ address: String) throws(TemplateError) -> TemplateSource {
        try TemplateSource(name: name, text: TemplateSource.opening + address)
    }

    private static func sources(of files: [PageSources.File]) throws(TemplateError) -> [TemplateSource] {
        let ending = ".mustache"
        var sources: [TemplateSource] = []
        for file in files where file.name.hasSuffix(ending) {
            let name = String(file.name.dropLast(ending.count))
            guard let text = String(validating: file.bytes, as: UTF8.self) else { throw .noText(name) }
            sources.append(try TemplateSource(name: name, text: text))
        }
        guard !sources.isEmpty else { throw .noTemplates }
        return sources
    }
}
