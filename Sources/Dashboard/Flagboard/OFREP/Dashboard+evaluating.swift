import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func evaluateFlag(_ request: Request, _ context: DashboardContext) async throws -> Response {
        // The router drops empty components, so a key path of only those arrives here.
        guard let key = Route.evaluation.key(in: request.uri.path) else {
            let text = String(request.uri.path.dropFirst(Route.evaluation.prefix.count))
            return refuse(.one, "FLAG_NOT_FOUND", "Flag “\(text)” not found.", key: text, .notFound)
        }
        if let problem = try await Self.problem(withBodyOf: request) {
            return refuse(.one, problem.code, problem.details, key: key.text, .badRequest)
        }
        let flags = try await service.shownFlags()
        guard let entry = flags.catalogue[key], !entry.isOnlyElsewhere else {
            let absence = flags.absence(of: key)
            guard absence.reason == .unknown else { throw absence }
            return refuse(.one, "FLAG_NOT_FOUND", absence.description, key: key.text, .notFound)
        }
        if let ignorance = entry.ignorance {
            return refuse(
                .one, EvaluationFailure.general, ignorance, key: key.text, metadata: Evaluation(entry).metadata,
                .serviceUnavailable)
        }
        metrics.count(.one, .answered)
        return respond(json: Evaluation(entry))
    }

    /// Evaluates all flags, or answers 304.
    func evaluateFlags(_ request: Request, _ context: DashboardContext) async throws -> Response {
        if let problem = try await Self.problem(withBodyOf: request) {
            return refuse(.all, problem.code, problem.details, key: nil, .badRequest)
        }
        let flags = try await service.shownFlags()
        if let ignorance = flags.ignorance {
            // With an empty list, clients would use their own defaults.
            return refuse(.all, EvaluationFailure.general, "\(ignorance)", key: nil, .serviceUnavailable)
        }
        let evaluation = evaluations.evaluation(of: flags)
        let ticket = context.visitor.flatMap(StreamTicket.init)?.text
        let revision = evaluation.revision(with: ticket)
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-cache", .eTag: revision.entityTag,
        ]
        if let tags = EntityTags(knownBy: request), tags.includes(revision) {
            metrics.count(.all, .unchanged)
            return Response(status: .notModified, headers: headers)
        }
        metrics.count(.all, .answered)
        let body = ByteBuffer(bytes: evaluation.body(with: ticket))
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// Announces new evaluations, at once and after each change.
    func evaluationEvents(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let ticket = context.visitor.flatMap(StreamTicket.init)?.text
        return try await stream(EvaluationEvents(dashboard: self, ticket: ticket), context)
    }

    func refuseEvaluation(at route: Route, _ request: Request, because problem: String) -> Response {
        let isOfAll = route != .evaluation
        let key = isOfAll ? nil : route.key(in: request.uri.path)?.text
        return refuse(isOfAll ? .all : .one, "PARSE_ERROR", problem, key: key, .badRequest)
    }

    private func refuse(
        _ scope: DashboardMetrics.EvaluationScope, _ code: String, _ details: String, key: String?,
        metadata: [String: String]? = nil, _ status: HTTPResponse.Status
    ) -> Response {
        metrics.count(scope, .refused)
        let failure = EvaluationFailure(key: key, errorCode: code, errorDetails: details, metadata: metadata)
        return respond(json: failure, status: status)
    }

    /// Accepts an empty body, or an object whose context is one; no evaluation depends on it.
    private static func problem(withBodyOf request: Request) async throws -> (code: String, details: String)? {
        let buffer = try await request.body.collect(upTo: FormFields.maximumBytes)
        guard buffer.readableBytes > 0 else { return nil }
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            return ("PARSE_ERROR", "The body is not UTF-8.")
        }
        let body: JSONValue
        do {
            body = try FlagJSON.document(text)
        } catch {
            return ("PARSE_ERROR", "Can’t read the body: \(error.description)")
        }
        guard case .object(let members) = body else { return ("PARSE_ERROR", "The body must be a JSON object.") }
        switch members["context"] {
        case nil, .null?, .object?: return nil
        case .some: return ("INVALID_CONTEXT", "The context must be a JSON object.")
        }
    }
}

private struct EvaluationEvents: EventTeller {
    let dashboard: Dashboard
    let ticket: String?
    /// `nil` at first, because the flags may have changed before the client connected.
    var last: FlagRevision?

    mutating func next() async throws -> String {
        let now = dashboard.evaluations.evaluation(of: try await dashboard.service.shownFlags()).revision(with: ticket)
        guard now != last else { return "" }
        last = now
        return "data: {\"type\":\"refetchEvaluation\",\"etag\":\"\(now.rawValue)\"}\n\n"
    }
}
