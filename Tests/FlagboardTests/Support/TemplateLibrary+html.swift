@testable import Flagboard

extension TemplateLibrary {
    /// A page as text.
    func html(of page: some PageModel) throws -> String { String(decoding: try render(page), as: UTF8.self) }
}
