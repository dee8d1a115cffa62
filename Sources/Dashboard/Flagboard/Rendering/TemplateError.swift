/// Why the templates can't be used; the server doesn't start with such ones.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case noTemplates
        case unreadable(String)
        case syntax(String)
        case forbidden(String)
        case missing(String)
        case unfit(tag: String, reason: String)
        case noSuchPage
    }

    private let template: String
    private let cause: Cause

    /// The template, what is wrong with it, and what to do.
    public var description: String {
        switch cause {
        case .noTemplates: "The directory \(template) holds no templates: give the one that came with Flagboard."
        case .unreadable(let reason): "The template \(template) can't be read: \(reason)"
        case .syntax(let reason): "The template \(template) is not valid mustache: \(reason)"
        case .forbidden(let reason): "The template \(template) is not safe: \(reason)"
        case .missing(let name): "The template \(template) needs \(name), which doesn't exist: add \(name).mustache."
        case .unfit(let tag, let reason): "The template \(template) doesn't fit its page: \(tag) \(reason)."
        case .noSuchPage: "The template \(template) doesn't exist: add \(template).mustache."
        }
    }

    static func noTemplates(in directory: String) -> TemplateError {
        TemplateError(template: directory, cause: .noTemplates)
    }

    static func unreadable(_ template: String, reason: String) -> TemplateError {
        TemplateError(template: template, cause: .unreadable(reason))
    }

    static func syntax(_ template: String, reason: String) -> TemplateError {
        TemplateError(template: template, cause: .syntax(reason))
    }

    static func forbidden(_ template: String, reason: String) -> TemplateError {
        TemplateError(template: template, cause: .forbidden(reason))
    }

    static func missing(_ name: String, in template: String) -> TemplateError {
        TemplateError(template: template, cause: .missing(name))
    }

    static func unfit(_ tag: String, in template: String, reason: String) -> TemplateError {
        TemplateError(template: template, cause: .unfit(tag: tag, reason: reason))
    }

    static func noSuchPage(_ template: String) -> TemplateError {
        TemplateError(template: template, cause: .noSuchPage)
    }
}
