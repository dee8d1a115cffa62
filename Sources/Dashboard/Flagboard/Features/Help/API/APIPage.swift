import FeatureFlags

/// The API for people: each operation with a line of curl.
struct APIPage: PageModel {
    static let template = "api"

    let frame: PageFrame
    let base: String
    let needsToken: Bool
    let descriptionHref: String
    let sections: [Section]
    let documents: [Document]

    struct Section: Hashable, PagePart {
        let id: String
        let label: String
        let operations: [APIOperationPart]
    }

    struct Document: Hashable, PagePart {
        let id: String
        let name: String
        let fields: [APIFieldPart]
    }

    init(frame: PageFrame, address: CurlLine.Address, subjects: APISubjects) {
        self.frame = frame.titled("API reference", in: .help)
        base = address.base
        needsToken = address.needsToken
        descriptionHref = Route.apiDescription.path
        var documents: [String: FlagValue] = [:]
        var operations: [APISection: [APIOperationPart]] = [:]
        for (route, method, operation) in Route.operations {
            let described = APIOperationText(operation, route, method).described(&documents)
            operations[APISection(route), default: []].append(
                APIOperationPart(
                    operation, route, method, described,
                    curl: operation.example(at: route, method, about: subjects), to: address))
        }
        sections = APISection.allCases.map {
            Section(id: "section-\($0.rawValue)", label: $0.label, operations: operations[$0] ?? [])
        }
        self.documents = documents.sorted { $0.key < $1.key }.map { name, schema in
            Document(id: SchemaWords.id(ofDocument: name), name: name, fields: APIFieldPart.members(of: schema))
        }
    }
}
