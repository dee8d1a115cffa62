import FeatureFlags
import FlagReferences
import SwiftParser
import SwiftSyntax

extension SourceReader {
    /// Members and calls in one expression; no collection has deeper groups.
    static let depth = 128

    /// Returns an expression, as far as this file reveals it.
    func expression(_ node: ExprSyntax, _ depth: Int = depth) -> SourceExpression {
        guard depth > 0 else { return .unknown }
        switch node.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let node): return reference(to: node.baseName.plainText)
        case .memberAccessExpr(let node):
            guard let base = node.base else { return .unknown }
            let inner = expression(base, depth - 1)
            return inner == .literal ? .unknown : .member(inner, node.declName.baseName.plainText)
        case .functionCallExpr(let node):
            return .call(expression(node.calledExpression, depth - 1), givenTypes(node.arguments))
        case .genericSpecializationExpr(let node):
            guard case .name(let name) = expression(node.expression, depth - 1) else { return .unknown }
            return .type(SourceTypeName(path: [name], arguments: arguments(node.genericArgumentClause)))
        case .tryExpr(let node): return expression(node.expression, depth - 1)
        case .awaitExpr(let node): return expression(node.expression, depth - 1)
        case .forceUnwrapExpr(let node): return expression(node.expression, depth - 1)
        case .optionalChainingExpr(let node): return expression(node.expression, depth - 1)
        case .tupleExpr(let node):
            guard node.elements.count == 1, let element = node.elements.first else { return .unknown }
            return expression(element.expression, depth - 1)
        case .sequenceExpr(let node): return expression(ofSequence: Array(node.elements), depth - 1)
        case .typeExpr(let node): return typeName(node.type).map { .type($0) } ?? .unknown
        case .stringLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .arrayExpr,
            .dictionaryExpr, .regexLiteralExpr, .closureExpr:
            return .literal
        default: return .unknown
        }
    }

    func reference(to name: String) -> SourceExpression {
        name == "self" ? local(name) ?? .current : local(name) ?? .name(name)
    }

    /// Reads `value as Type` and `value ?? other`; other operators give no collection.
    private func expression(ofSequence elements: [ExprSyntax], _ depth: Int) -> SourceExpression {
        if elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self),
            let type = elements[2].as(TypeExprSyntax.self)
        {
            return value(ofType: type.type)
        }
        let operators = stride(from: 1, to: elements.count, by: 2).map { elements[$0].trimmedDescription }
        guard operators.allSatisfy({ $0 == "??" }) else { return .unknown }
        return .first(stride(from: 0, to: elements.count, by: 2).map { expression(elements[$0], depth) })
    }

    /// Returns the types passed as `ShopFlags.self`.
    func givenTypes(_ arguments: LabeledExprListSyntax) -> [SourceExpression] {
        arguments.compactMap { argument in
            guard let access = argument.expression.as(MemberAccessExprSyntax.self),
                access.declName.baseName.tokenKind == .keyword(.self), let base = access.base
            else { return nil }
            return expression(base)
        }
    }

    /// Returns the root of a key path; if unwritten, the subject of the call around it.
    func root(of node: KeyPathExprSyntax) -> SourceExpression {
        if let type = node.root { return value(ofType: type) }
        guard let list = node.parent?.parent?.as(LabeledExprListSyntax.self) else { return .unknown }
        if let call = list.parent?.as(SubscriptCallExprSyntax.self) { return expression(call.calledExpression) }
        guard let call = list.parent?.as(FunctionCallExprSyntax.self) else { return .unknown }
        let callee = call.calledExpression.as(MemberAccessExprSyntax.self)?.base.map { expression($0) }
        let others = list.filter { $0.id != node.parent?.id }.map { expression($0.expression) }
        return .guess(givenTypes(list).map { .call($0, []) } + [callee].compactMap(\.self) + others)
    }

    /// Returns a value of a declared type; unknown for a generic parameter.
    func value(ofType node: TypeSyntax) -> SourceExpression {
        typeName(node).flatMap { isPlaceholder($0) ? nil : .value($0) } ?? .unknown
    }

    private func isPlaceholder(_ name: SourceTypeName) -> Bool {
        isPlaceholder(name.path[0]) || name.arguments.contains { isPlaceholder($0) }
    }

    /// Returns a type's name; for an optional, that of the wrapped type.
    func typeName(_ node: TypeSyntax) -> SourceTypeName? {
        switch node.as(TypeSyntaxEnum.self) {
        case .identifierType(let node):
            return SourceTypeName(
                path: [node.name.plainText], arguments: node.genericArgumentClause.map(arguments) ?? [])
        case .memberType(let node):
            guard let base = typeName(node.baseType) else { return nil }
            return SourceTypeName(
                path: base.path + [node.name.plainText], arguments: node.genericArgumentClause.map(arguments) ?? [])
        case .optionalType(let node): return typeName(node.wrappedType)
        case .implicitlyUnwrappedOptionalType(let node): return typeName(node.wrappedType)
        case .someOrAnyType(let node): return typeName(node.constraint)
        case .attributedType(let node): return typeName(node.baseType)
        default: return nil
        }
    }

    private func arguments(_ clause: GenericArgumentClauseSyntax) -> [SourceTypeName] {
        clause.arguments.compactMap { argument in
            if case .type(let type) = argument.argument { typeName(type) } else { nil }
        }
    }

    /// Returns the key path of `FlagKeyPath(components: ["delivery", "fee"])`.
    func components(_ node: FunctionCallExprSyntax) -> FlagKeyPath? {
        guard let argument = node.arguments.first, argument.label?.text == "components",
            let array = argument.expression.as(ArrayExprSyntax.self), !array.elements.isEmpty
        else { return nil }
        let texts = array.elements.compactMap {
            $0.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }
        return texts.count == array.elements.count ? FlagKeyPath(components: texts) : nil
    }
}

extension TokenSyntax {
    var plainText: String { text.hasPrefix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text }
}

extension VariableDeclSyntax {
    /// `true` for members of types, and for globals.
    var isOutsideFunctions: Bool {
        var node = parent
        while let current = node, !current.is(SourceFileSyntax.self) {
            if current.is(MemberBlockSyntax.self) { return true }
            let isAround =
                current.is(CodeBlockItemSyntax.self) || current.is(CodeBlockItemListSyntax.self)
                || current.is(MemberBlockItemSyntax.self) || current.is(MemberBlockItemListSyntax.self)
                || current.is(IfConfigDeclSyntax.self) || current.is(IfConfigClauseSyntax.self)
                || current.is(IfConfigClauseListSyntax.self)
            guard isAround else { return false }
            node = current.parent
        }
        return true
    }
}

extension ExprSyntaxProtocol {
    var isCalled: Bool { parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == id }
}

extension DeclReferenceExprSyntax {
    var isBase: Bool { parent?.as(MemberAccessExprSyntax.self)?.base?.id == id }
}
