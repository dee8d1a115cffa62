import FeatureFlags
import FlagReferences
import SwiftParser
import SwiftSyntax

enum FlagAttribute {
    case flag(SourceFacts.DeclaredKey)
    case group(SourceFacts.DeclaredKey)

    static let texts: Set<String> = [
        "name", "key", "keyPath", "description", "keyConfiguration", "provider", "excludedProviderNames",
    ]

    /// `nil` for other attributes, such as swift-argument-parser's `@Flag`.
    init?(_ node: AttributeSyntax) {
        guard let arguments = Self.arguments(of: node) else { return nil }
        let argument = { (label: String) in arguments.first { $0.label?.text == label }?.expression }
        let key = argument("key").flatMap(SourceFacts.DeclaredKey.init(key:))
        if Self.name(of: node) == "Flag" {
            self = .flag(argument("keyPath").flatMap(SourceFacts.DeclaredKey.init(keyPath:)) ?? key ?? .derived)
        } else {
            self = .group(
                key ?? argument("keyConfiguration").map(SourceFacts.DeclaredKey.init(configuration:)) ?? .derived)
        }
    }

    /// The labels of swift-argument-parser's attribute that the library's doesn't have.
    private static let othersLabels: Set<String> = ["help", "inversion", "exclusivity"]

    /// `nil` for other attributes.
    static func arguments(of node: AttributeSyntax) -> [LabeledExprSyntax]? {
        guard ["Flag", "FlagCollection"].contains(name(of: node)) else { return nil }
        var arguments: [LabeledExprSyntax] = []
        if case .argumentList(let list)? = node.arguments { arguments = Array(list) }
        let labels = arguments.map { $0.label?.text ?? "" }
        if labels.contains(where: othersLabels.contains) { return nil }
        // Both libraries have these forms.
        return labels.allSatisfy({ $0 == "name" }) && importsArgumentParser(node) ? nil : arguments
    }

    private static func importsArgumentParser(_ node: AttributeSyntax) -> Bool {
        node.root.as(SourceFileSyntax.self)?.statements.contains { statement in
            statement.item.as(ImportDeclSyntax.self)?.path.first?.name.text == "ArgumentParser"
        } ?? false
    }

    private static func name(of node: AttributeSyntax) -> String? {
        switch node.attributeName.as(TypeSyntaxEnum.self) {
        case .identifierType(let type): type.name.plainText
        case .memberType(let type): type.name.plainText
        default: nil
        }
    }
}

extension SourceFacts.DeclaredKey {
    /// Reads `key:`; `nil` for a literal `nil`.
    fileprivate init?(key node: ExprSyntax) {
        if node.is(NilLiteralExprSyntax.self) { return nil }
        guard let text = node.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            self = .untold
            return
        }
        self = .fixed(text)
    }

    /// Reads `keyPath:`; `nil` for a literal `nil`.
    fileprivate init?(keyPath node: ExprSyntax) {
        if node.is(NilLiteralExprSyntax.self) { return nil }
        let elements = node.as(ArrayExprSyntax.self)?.elements.map { element in
            element.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }
        let components = elements?.compactMap(\.self) ?? []
        self = components.isEmpty || components.count != elements?.count ? .untold : .path(components)
    }

    fileprivate init(configuration node: ExprSyntax) {
        if let custom = node.customText {
            self = .fixed(custom)
            return
        }
        switch node.as(MemberAccessExprSyntax.self)?.declName.baseName.plainText {
        case "default": self = .derived
        case "kebabCase": self = .transformed(.kebabCase)
        case "snakeCase": self = .transformed(.snakeCase)
        case "skip": self = .skipped
        default: self = .untold
        }
    }
}

extension ExprSyntax {
    /// The text of `.custom("text")`.
    fileprivate var customText: String? {
        guard let call = self.as(FunctionCallExprSyntax.self),
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainText == "custom"
        else { return nil }
        return call.arguments.first?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}

extension KeyConfiguration {
    /// `nil` for other calls and unknown arguments.
    init?(_ node: FunctionCallExprSyntax) {
        let callee = node.calledExpression
        let isNamed = callee.as(DeclReferenceExprSyntax.self)?.baseName.text == "KeyConfiguration"
        let isInit = callee.as(MemberAccessExprSyntax.self)?.declName.baseName.tokenKind == .keyword(.`init`)
        let label = node.parent?.as(LabeledExprSyntax.self)?.label?.text
        guard isNamed || isInit && label == "keyConfiguration" else { return nil }
        var (prefix, transform): (String?, Transform) = (nil, .snakeCase)
        for argument in node.arguments {
            switch argument.label?.text {
            case "prefix":
                guard let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
                    return nil
                }
                prefix = text
            case "keyTransform":
                guard let told = Transform(argument.expression) else { return nil }
                transform = told
            default: break
            }
        }
        self.init(prefix: prefix, keyTransform: transform)
    }
}

extension KeyConfiguration.Transform {
    fileprivate init?(_ node: ExprSyntax) {
        if let custom = node.customText {
            self = .custom(custom)
            return
        }
        switch node.as(MemberAccessExprSyntax.self)?.declName.baseName.plainText {
        case "none": self = .none
        case "kebabCase": self = .kebabCase
        case "snakeCase": self = .snakeCase
        default: return nil
        }
    }
}
