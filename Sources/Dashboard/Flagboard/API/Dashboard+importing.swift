import DurableFiles
import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

/// Imports for programs: the body is a property list or JSON, unwrapped.
extension Dashboard {
    func importValues(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        guard let mode = query["mode"].map(ImportPlan.Mode.init(rawValue:)) ?? .merge else {
            throw Self.unreadable(["mode must be merge, replace or create."])
        }
        let (isPreview, isPartial) = (try Self.switched("preview", query), try Self.switched("partial", query))
        let body = try await request.body.collect(upTo: ImportedValues.maximumBytes)
        let values: ImportedValues
        do {
            values = try await ImportedValues.read(Data(body.readableBytesView))
        } catch {
            throw RequestError(
                .unprocessableContent, .notImportable, title: "Can’t import",
                message: error.description.uppercasedFirst.asSentence,
                remedy: "Fix the content and send it again. Nothing was changed.")
        }
        let author = try author(of: request, as: .import, confirming: query["confirm"], context)
        guard !isPreview else {
            let plan = try await service.plan(values, into: query["provider"], mode: mode, by: author)
            let refusal = try await service.refusal(
                of: plan, leavingRefusedOut: isPartial, reason: query["reason"] ?? "", by: author)
            return respond(json: ImportDocument(plan, isPreview: true, refusal: refusal))
        }
        let made = try await service.apply(
            values, into: query["provider"], mode: mode, leavingRefusedOut: isPartial, reason: query["reason"] ?? "",
            by: author)
        return respond(json: ImportDocument(made, isPreview: false))
    }

    /// Reads a boolean query item, `false` if missing; throws 400 if invalid.
    static func switched(_ name: String, _ query: FormFields) throws(RequestError) -> Bool {
        switch query[name] {
        case nil, "false": return false
        case "true": return true
        case .some: throw unreadable(["\(name) must be true or false."])
        }
    }
}

struct ImportDocument: JSONDocument {
    let provider: String
    let mode: ImportPlan.Mode
    let preview: Bool
    let flags: [Item]
    /// The number of unknown keys beyond ``flags``; omitted for 0.
    let moreUnknown: Int?
    let refusal: ProblemDocument?

    struct Item: JSONDocument {
        let key: String
        let fate: FateName
        let problem: String?
        let retyped: [RetypedDocument]?
    }

    init(_ plan: ImportPlan, isPreview: Bool, refusal: ChangeError? = nil) {
        provider = plan.provider
        mode = plan.mode
        preview = isPreview
        moreUnknown = plan.moreUnknown == 0 ? nil : plan.moreUnknown
        self.refusal = refusal.map { ProblemDocument($0) }
        flags = plan.entries.map { entry in
            let problem = if case .invalid(let reason) = entry.fate { Optional(reason) } else { String?.none }
            return Item(
                key: entry.key.text, fate: FateName(entry.fate), problem: problem,
                retyped: RetypedDocument.list(entry.retyped))
        }
    }
}

enum FateName: String, JSONWord {
    case added, changed, removed, same, kept, locked, unknown, invalid

    init(_ fate: ImportPlan.Fate) {
        self =
            switch fate {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            case .same: .same
            case .kept: .kept
            case .locked: .locked
            case .unknown: .unknown
            case .invalid: .invalid
            }
    }
}
