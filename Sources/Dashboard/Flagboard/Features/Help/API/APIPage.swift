import FeatureFlags

/// What programs can ask, with a line of curl for each: the description of the API, told for people.
struct APIPage: PageModel {
    static let template = "api"

    let frame: PageFrame
    /// Where programs reach the dashboard.
    let base: String
    let needsToken: Bool
    let descriptionHref: String
    let sections: [Section]
    /// What is answered, each under its name.
    let documents: [Document]

    /// Operations about the same.
    struct Section: Hashable, PagePart {
        let id: String
        let label: String
        let operations: [APIOperationPart]
    }

    /// An object that has a name of its own.
    struct Document: Hashable, PagePart {
        let id: String
        let name: String
        let fields: [APIFieldPart]
    }

    /// Makes the page.
    init(frame: PageFrame, address: CurlLine.Address, subjects: APISubjects) {
        self.frame = frame.titled("Help for programs", in: .help)
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
