import FeatureFlags
import FlagReferences
import SwiftParser
import SwiftSyntax

/// Reads the syntax of a source file, with texts as the program sees them.
final class SourceReader: SyntaxVisitor {
    private(set) var facts = SourceFacts()
    /// The enclosing types, as indexes in ``SourceFacts/types``.
    private var typePlaces = [0]
    /// The enclosing functions, innermost last.
    private var scopes: [Scope] = []
    /// The positions of texts that declare key paths or coding keys.
    private var keyPlaces: Set<SourcePosition> = []
    private let converter: SourceLocationConverter

    private struct Scope {
        var names: [String: SourceExpression] = [:]
        var placeholders: Set<String> = []
    }

    /// Hostile code takes all of the stack, or endless time (see ``SourceProgram``).
    static func answer(for text: String) -> SourceAnswer {
        var text = text
        let tree = text.withUTF8 { Parser.parse(source: $0, maximumNestingLevel: SourceDepth.parserMaximum) }
        // The parser would silently leave out the rest of the file.
        if tree.hasMaximumNestingLevelOverflow { return .tooDeep(SourceDepth.parserMaximum) }
        if tree.isTooDeep { return .tooDeep(SourceDepth.maximum) }
        let reader = SourceReader(SourceLocationConverter(fileName: "", tree: tree))
        reader.walk(tree)
        return .facts(reader.facts)
    }

    private init(_ converter: SourceLocationConverter) {
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
    }

    var enclosing: [String] { facts.types[place].path }
    private var place: Int { typePlaces[typePlaces.count - 1] }

    func position(_ node: some SyntaxProtocol) -> SourcePosition {
        let location = node.startLocation(converter: converter)
        return SourcePosition(line: location.line, column: location.column)
    }

    /// Returns the lines of a node, with the comments before it.
    private func lines(_ node: some SyntaxProtocol) -> ClosedRange<Int> {
        let isComment = { (piece: TriviaPiece) in
            switch piece {
            case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
            default: false
            }
        }
        let before = node.leadingTrivia.prefix { !isComment($0) }
        let start =
            before.count == node.leadingTrivia.count
            ? node.positionAfterSkippingLeadingTrivia
            : before.reduce(node.position) { $0 + $1.sourceLength }
        return converter.location(for: start).line...node.endLocation(converter: converter).line
    }

    /// Returns the meaning of a name that an enclosing function declares.
    func local(_ name: String) -> SourceExpression? {
        for scope in scopes.reversed() {
            if let declared = scope.names[name] { return declared }
        }
        return nil
    }

    func isPlaceholder(_ name: String) -> Bool { scopes.contains { $0.placeholders.contains(name) } }

    /// Declares a name in the innermost scope, if any.
    private func declare(_ name: String, _ expression: SourceExpression) {
        guard !scopes.isEmpty else { return }
        scopes[scopes.count - 1].names[name] = expression.isLarge ? .unknown : expression
    }

    /// Several members of one name are unknown.
    private func declareMember(_ name: String, _ expression: SourceExpression) {
        let known = facts.types[place].members[name]
        facts.types[place].members[name] = known == nil || known == expression ? expression : .unknown
    }

    private func beginType(
        _ names: [String], _ inheritance: InheritanceClauseSyntax?, _ attributes: AttributeListSyntax
    ) -> SyntaxVisitorContinueKind {
        var type = SourceFacts.DeclaredType(path: enclosing + names)
        type.inherited = inheritance?.inheritedTypes.compactMap { typeName($0.type)?.path.last } ?? []
        type.isDynamic = attributes.contains { attribute in
            attribute.as(AttributeSyntax.self)?.attributeName.as(IdentifierTypeSyntax.self)?.name.text
                == "dynamicMemberLookup"
        }
        facts.types.append(type)
        typePlaces.append(facts.types.count - 1)
        return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        beginType([node.name.plainText], node.inheritanceClause, node.attributes)
    }
    override func visitPost(_ node: StructDeclSyntax) { typePlaces.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        beginType([node.name.plainText], node.inheritanceClause, node.attributes)
    }
    override func visitPost(_ node: ClassDeclSyntax) { typePlaces.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        beginType([node.name.plainText], node.inheritanceClause, node.attributes)
    }
    override func visitPost(_ node: EnumDeclSyntax) { typePlaces.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        beginType([node.name.plainText], node.inheritanceClause, node.attributes)
    }
    override func visitPost(_ node: ActorDeclSyntax) { typePlaces.removeLast() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        defer { facts.types[place].isProtocol = true }
        return beginType([node.name.plainText], node.inheritanceClause, node.attributes)
    }
    override func visitPost(_ node: ProtocolDeclSyntax) { typePlaces.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        defer { facts.types[place].isExtension = true }
        return beginType(
            typeName(node.extendedType)?.path ?? [node.extendedType.trimmedDescription], node.inheritanceClause,
            node.attributes)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { typePlaces.removeLast() }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        if let name = typeName(node.initializer.value) {
            facts.types[place].aliases[node.name.plainText] = name
        } else {
            facts.types[place].placeholders.insert(node.name.plainText)
        }
        return .visitChildren
    }

    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
        facts.types[place].placeholders.insert(node.name.plainText)
        return .visitChildren
    }

    override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
        let owner = node.parent?.parent?.parent
        let isOfFunction =
            owner?.is(FunctionDeclSyntax.self) == true || owner?.is(InitializerDeclSyntax.self) == true
            || owner?.is(SubscriptDeclSyntax.self) == true
        if isOfFunction {
            scopes[scopes.count - 1].placeholders.insert(node.name.plainText)
        } else {
            facts.types[place].placeholders.insert(node.name.plainText)
        }
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.isOutsideFunctions else { return .visitChildren }
        let declared = node.attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
            .compactMap { FlagAttribute($0) }.first
        for binding in node.bindings {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
            let name = pattern.identifier.plainText
            switch declared {
            case .flag(let key):
                facts.types[place].flags.append(
                    SourceFacts.DeclaredFlag(
                        property: name, key: key, position: position(pattern), lines: lines(node)))
            case .group(let key):
                guard let type = binding.typeAnnotation.flatMap({ typeName($0.type) }) ?? madeType(in: binding)
                else { continue }
                facts.types[place].groups.append(
                    SourceFacts.DeclaredGroup(property: name, type: type, key: key, lines: lines(node)))
            case nil:
                declareMember(name, expression(ofBinding: binding))
                addConstant(name, node, binding)
                facts.mentions.append(
                    SourceFacts.Mention(name: name, position: position(pattern), isDeclaration: true))
            }
        }
        return .visitChildren
    }

    /// The type in `= Group()`.
    private func madeType(in binding: PatternBindingSyntax) -> SourceTypeName? {
        guard let value = binding.initializer?.value, case .call(let type, _) = expression(value) else { return nil }
        return type.typeName
    }

    private func addConstant(_ name: String, _ node: VariableDeclSyntax, _ binding: PatternBindingSyntax) {
        guard node.bindingSpecifier.tokenKind == .keyword(.let),
            let literal = binding.initializer?.value.as(StringLiteralExprSyntax.self),
            let text = literal.representedLiteralValue
        else { return }
        let isInKeys = enclosing.count > 1 && enclosing.last == "Keys"
        if isInKeys { keyPlaces.insert(position(literal)) }
        facts.types[place].constants[name] = SourceFacts.Constant(
            text: text, position: position(literal), lines: lines(node), isInKeys: isInKeys)
    }

    private func expression(ofBinding binding: PatternBindingSyntax) -> SourceExpression {
        if let annotation = binding.typeAnnotation { return value(ofType: annotation.type) }
        return binding.initializer.map { expression($0.value) } ?? .unknown
    }

    override func visitPost(_ node: PatternBindingSyntax) {
        guard let pattern = node.pattern.as(IdentifierPatternSyntax.self),
            node.parent?.parent?.as(VariableDeclSyntax.self)?.isOutsideFunctions == false
        else { return }
        declare(pattern.identifier.plainText, expression(ofBinding: node))
    }

    override func visitPost(_ node: OptionalBindingConditionSyntax) {
        guard let pattern = node.pattern.as(IdentifierPatternSyntax.self) else { return }
        let name = pattern.identifier.plainText
        if let annotation = node.typeAnnotation {
            declare(name, value(ofType: annotation.type))
        } else if let initializer = node.initializer {
            declare(name, expression(initializer.value))
        } else {
            declare(name, reference(to: name))
        }
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        let isBinding =
            node.parent?.is(PatternBindingSyntax.self) == true
            || node.parent?.is(OptionalBindingConditionSyntax.self) == true
        if !isBinding { declare(node.identifier.plainText, .unknown) }
        return .visitChildren
    }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        let literal = node.rawValue?.value.as(StringLiteralExprSyntax.self)
        // A coding key's text names a decoded property, and is no use of it.
        let coded = facts.types[place].inherited.contains("CodingKey") ? literal : nil
        if let coded { keyPlaces.insert(position(coded)) }
        facts.mentions.append(
            SourceFacts.Mention(
                name: node.name.plainText, position: position(node.name), isDeclaration: true,
                coded: coded?.representedLiteralValue))
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let type = node.signature.returnClause?.type {
            let parameters = node.genericParameterClause?.parameters.map(\.name.plainText) ?? []
            scopes.append(Scope(placeholders: Set(parameters)))
            let given = value(ofType: type)
            scopes.removeLast()
            if scopes.isEmpty {
                declareMember(node.name.plainText, given)
            } else {
                declare(node.name.plainText, given)
            }
        }
        return beginScope()
    }
    override func visitPost(_ node: FunctionDeclSyntax) { scopes.removeLast() }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        declare((node.secondName ?? node.firstName).plainText, value(ofType: node.type))
        return .visitChildren
    }

    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
        declare(
            (node.secondName ?? node.firstName).plainText,
            node.type.map { value(ofType: $0) } ?? .unknown)
        return .visitChildren
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        declare(node.name.plainText, .unknown)
        return .visitChildren
    }

    private func beginScope() -> SyntaxVisitorContinueKind {
        scopes.append(Scope())
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: InitializerDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.parameterClause.parameters.first?.firstName.text == "dynamicMember" {
            facts.types[place].isDynamic = true
        }
        return beginScope()
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: AccessorBlockSyntax) { scopes.removeLast() }
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: CodeBlockSyntax) { scopes.removeLast() }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: ClosureExprSyntax) { scopes.removeLast() }
    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: IfExprSyntax) { scopes.removeLast() }
    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: WhileStmtSyntax) { scopes.removeLast() }
    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: ForStmtSyntax) { scopes.removeLast() }
    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: SwitchCaseSyntax) { scopes.removeLast() }
    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind { beginScope() }
    override func visitPost(_ node: CatchClauseSyntax) { scopes.removeLast() }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        guard let arguments = FlagAttribute.arguments(of: node) else { return .visitChildren }
        // The texts of a declaration describe the flag, and use none.
        for argument in arguments {
            if let label = argument.label?.text, !FlagAttribute.texts.contains(label) { walk(argument.expression) }
        }
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if !keyPlaces.contains(position(node)), let text = node.representedLiteralValue {
            facts.texts.append(
                SourceFacts.Text(
                    text: text, position: position(node),
                    lines: position(node).line...node.endLocation(converter: converter).line))
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        for type in givenTypes(node.arguments) {
            facts.givenTypes.insert(SourceFacts.GivenType(type: type, place: place))
        }
        if let configuration = KeyConfiguration(node) { facts.configurations.insert(configuration) }
        if let components = components(node) {
            facts.texts.append(
                SourceFacts.Text(
                    text: components.text, position: position(node),
                    lines: position(node).line...node.endLocation(converter: converter).line))
        }
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if let base = node.base {
            add(node.declName, of: expression(base), isCalled: node.isCalled)
        } else if !node.isCalled {
            let name = node.declName
            facts.mentions.append(SourceFacts.Mention(name: name.baseName.plainText, position: position(name)))
        }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(MemberAccessExprSyntax.self) != true || node.isBase,
            node.parent?.is(KeyPathPropertyComponentSyntax.self) != true,
            node.baseName.tokenKind != .keyword(.self), local(node.baseName.plainText) == nil
        else { return .visitChildren }
        add(node, of: nil, isCalled: node.isCalled)
        return .visitChildren
    }

    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
        var base = root(of: node)
        for (place, component) in node.components.enumerated() {
            guard let property = component.component.as(KeyPathPropertyComponentSyntax.self) else { continue }
            add(property.declName, of: base, isCalled: false)
            // Each access keeps its whole base.
            base = place < Self.depth ? .member(base, property.declName.baseName.plainText) : .unknown
        }
        return .visitChildren
    }

    private func add(_ name: DeclReferenceExprSyntax, of base: SourceExpression?, isCalled: Bool) {
        guard base != .literal else { return }
        facts.accesses.append(
            SourceFacts.Access(
                base: base, name: name.baseName.plainText, position: position(name), place: place,
                isCalled: isCalled))
    }
}
