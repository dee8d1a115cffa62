import FeatureFlags
import FlagChanges
import HTTPTypes

struct APIOperationText {
    private let operation: APIOperation
    private let route: Route
    private let method: HTTPRequest.Method

    init(_ operation: APIOperation, _ route: Route, _ method: HTTPRequest.Method) {
        (self.operation, self.route, self.method) = (operation, route, method)
    }

    func described(_ documents: inout [String: FlagValue]) -> FlagValue {
        var described: [String: FlagValue] = [
            "operationId": .string(operation.name), "summary": .string(operation.summary),
            "responses": .dictionary(responses(&documents)), "tags": [.string(APISection(route).label)],
        ]
        let parameters = parameters(&documents)
        if !parameters.isEmpty { described["parameters"] = .array(parameters) }
        if let body = operation.body { described["requestBody"] = self.body(body, &documents) }
        if operation.isOpen { described["security"] = [] }
        return .dictionary(described)
    }

    private func parameters(_ documents: inout [String: FlagValue]) -> [FlagValue] {
        var parameters: [FlagValue] = []
        if let place = operation.place {
            parameters.append(parameter(place, in: "path", place.shape.schema(&documents)))
        }
        for field in operation.query {
            parameters.append(parameter(field, in: "query", field.shape.schema(&documents)))
        }
        let tags: FlagValue = ["type": "string", "pattern": #"^(?:\*|"[!#-~]*")$"#]
        switch operation.condition {
        case .none: break
        case .match:
            let about = "The revision that the change is based on, from the ETag, or * to skip the check."
            parameters.append(header("If-Match", tags, about, isRequired: true))
        case .matchOrNew:
            let about = "To change a definition: the revision that the change is based on, or * to skip the check."
            parameters.append(header("If-Match", tags, about))
            parameters.append(header("If-None-Match", ["type": "string", "pattern": #"^\*$"#], "To define a flag: *"))
        case .known:
            parameters.append(
                header(
                    "If-None-Match", ["type": "string"],
                    "The ETag you already have. If it is still current, the response is 304."))
        }
        if operation.isRepeatable {
            let text: FlagValue = ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"]
            parameters.append(
                header("Idempotency-Key", text, "Identifies the request. A repeated request gets the first response."))
        }
        return parameters
    }

    private func parameter(_ field: APIField, in place: String, _ schema: FlagValue) -> FlagValue {
        var parameter: [String: FlagValue] = [
            "name": .string(field.name), "in": .string(place), "description": .string(field.about), "schema": schema,
        ]
        if field.isRequired { parameter["required"] = true }
        return .dictionary(parameter)
    }

    private func header(
        _ name: String, _ schema: FlagValue, _ about: String, isRequired: Bool = false
    ) -> FlagValue {
        parameter(APIField(name, about, isRequired: isRequired), in: "header", schema)
    }

    private func body(_ body: APIOperation.Body, _ documents: inout [String: FlagValue]) -> FlagValue {
        switch body {
        case .json(let fields, let rules):
            let schema = JSONShape.object(of: fields, rules, &documents)
            return ["required": true, "content": ["application/json": ["schema": schema]]]
        case .choice(let shape):
            return ["required": true, "content": ["application/json": ["schema": shape.schema(&documents)]]]
        case .evaluation:
            let schema: FlagValue = [
                "type": "object",
                "properties": ["context": ["type": ["object", "null"], "description": "The evaluation context."]],
            ]
            return ["content": ["application/json": ["schema": schema]]]
        case .file:
            let file: FlagValue = ["schema": ["type": "string", "contentMediaType": "application/octet-stream"]]
            return [
                "required": true,
                "content": [
                    "application/json": ["schema": ["type": "object"]], "application/octet-stream": file,
                ],
            ]
        }
    }

    private func responses(_ documents: inout [String: FlagValue]) -> [String: FlagValue] {
        var done: [String: FlagValue] = ["description": .string(operation.summary)]
        switch operation.answer {
        case .json(let shape): done["content"] = ["application/json": ["schema": shape.schema(&documents)]]
        case .media(let types):
            let contents = types.map {
                ($0, ["schema": $0 == "application/json" ? [:] : ["type": "string"]] as FlagValue)
            }
            done["content"] = .dictionary(Dictionary(uniqueKeysWithValues: contents))
        }
        if operation.hasTag {
            done["headers"] = ["ETag": ["description": "The revision.", "schema": ["type": "string"]]]
        }
        var responses: [String: FlagValue] = ["200": .dictionary(done)]
        for status in refusals { responses["\(status.code)"] = refusal(status, &documents) }
        responses["default"] = refusal(nil, &documents)
        if case .known = operation.condition {
            responses["304"] = ["description": "Not changed since the ETag in If-None-Match."]
        }
        if case .json(let shape) = operation.answer, operation.isOpen {
            responses["503"] = [
                "description": "The server can't serve flags.",
                "content": ["application/json": ["schema": shape.schema(&documents)]],
            ]
        }
        return responses
    }

    private var refusals: [HTTPResponse.Status] {
        var refusals: [HTTPResponse.Status] = []
        if !operation.query.isEmpty || operation.body != nil { refusals.append(.badRequest) }
        if !operation.isOpen { refusals += [.unauthorized, .tooManyRequests] }
        if operation.place != nil { refusals.append(.notFound) }
        let isChange = operation.isRepeatable || operation.name == APIOperation.reportRestart.name
        if isChange { refusals.append(.forbidden) }
        if operation.isRepeatable {
            refusals += [.unprocessableContent, HTTPResponse.Status(code: 423, reasonPhrase: "Locked")]
        }
        switch operation.condition {
        case .match, .matchOrNew: refusals += [.preconditionFailed, .preconditionRequired]
        case .none, .known: break
        }
        if operation.body?.isJSON == true { refusals += [.contentTooLarge, .unsupportedMediaType] }
        return refusals
    }

    private func refusal(_ status: HTTPResponse.Status?, _ documents: inout [String: FlagValue]) -> FlagValue {
        let problem = ProblemDocument.shape.schema(&documents)
        var content: [String: FlagValue] = ["application/problem+json": ["schema": problem]]
        if operation.isEvaluation {
            content["application/json"] = ["schema": EvaluationFailure.shape.schema(&documents)]
        }
        return [
            "description": .string(status?.reasonPhrase ?? "Refused, with the reason."),
            "content": .dictionary(content),
        ]
    }
}
