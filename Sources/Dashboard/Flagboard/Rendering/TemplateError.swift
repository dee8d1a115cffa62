import Foundation

/// An error in the templates, style sheets or scripts, which prevents a server's start.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case noTemplates
        case unreadable(String)
        case noText
        case sameName
        case syntax(String)
        case forbidden(String)
        case missing(String)
        case unfit(tag: String, reason: String)
        case noSuchPage
        case noStyle
    }

    private let template: String
    private let cause: Cause

    /// The template, its problem and the remedy.
    public var description: String {
        switch cause {
        case .noTemplates: "No templates found. Give the folder that contains Templates and Public."
        case .unreadable(let reason): "The page files in \(template) can't be read: \(reason)"
        case .noText: "The template \(template) isn’t UTF-8 text."
        case .sameName: "Two page files are named \(template): rename one."
        case .syntax(let reason): "The template \(template) is not valid mustache: \(reason)"
        case .forbidden(let reason): "The template \(template) is not safe: \(reason)"
        case .missing(let name): "The template \(template) needs \(name), which doesn't exist: add \(name).mustache."
        case .unfit(let tag, let reason): "The template \(template) doesn't fit its page: \(tag) \(reason)."
        case .noSuchPage: "The template \(template) doesn't exist: add \(template).mustache."
        case .noStyle: "The style sheet \(template) doesn't exist: add \(template).css."
        }
    }

    static let noTemplates = TemplateError(template: "", cause: .noTemplates)

    static func unreadable(_ folder: URL, reason: String) -> TemplateError {
        TemplateError(template: folder.path(percentEncoded: false), cause: .unreadable(reason))
    }

    static func noText(_ template: String) -> TemplateError { TemplateError(template: template, cause: .noText) }

    static func sameName(_ file: String) -> TemplateError { TemplateError(template: file, cause: .sameName) }

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

    static func noStyle(_ style: String) -> TemplateError { TemplateError(template: style, cause: .noStyle) }
}
