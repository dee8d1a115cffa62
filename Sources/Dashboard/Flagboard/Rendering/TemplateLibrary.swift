import Foundation

/// The templates of all pages, checked and bound at creation, so that a fault stops the launch instead of leaving a
/// gap.
struct TemplateLibrary: Sendable {
    private let templates: [String: CompiledTemplate]

    /// The generated template with the path of the assets.
    private static let assets = "assets"

    /// Loads templates, identified by name without the folder.
    ///
    /// - Parameter assets: The folder of style sheets, scripts and icons; empty for the root.
    /// - Throws: ``TemplateError`` for an unsafe, malformed or missing template, or a name that its page lacks.
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

    func render<Page: PageModel>(_ page: Page) throws(TemplateError) -> [UInt8] {
        guard let template = templates[Page.template] else { throw TemplateError.noSuchPage(Page.template) }
        return template.render(page)
    }

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
