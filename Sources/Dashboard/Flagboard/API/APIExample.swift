import FeatureFlags
import FlagChanges
import HTTPTypes

/// The flag, provider and row in example requests, so that readers can run them.
struct APISubjects: Sendable {
    let key: FlagKeyPath
    let value: FlagValue
    let type: FlagType
    let change: Int64
    let provider: String

    init(_ catalogue: FlagCatalogue, lastRow: Int64?) {
        let entry = catalogue.entries.first {
            !$0.definition.metadata.isLocked && $0.isDefined && $0.resolution.effectiveValue != nil
        }
        key = entry?.key ?? FlagKeyPath(components: ["checkout", "new_flow"])
        value = entry?.resolution.effectiveValue ?? .bool(true)
        type = entry?.definition.type ?? .bool
        change = lastRow ?? 1
        provider = catalogue.providers.first { $0.isWritable }?.name ?? FlagFiles.localProviderName
    }
}

extension APIOperation {
    func example(at route: Route, _ method: HTTPRequest.Method, about subjects: APISubjects) -> CurlLine {
        let (query, json) = content(about: subjects)
        var line = CurlLine(
            method: method, path: path(of: route, about: subjects) + PageLink.query(query), json: json)
        switch condition {
        case .match: line.headers = ["If-Match: *"]
        case .matchOrNew: line.headers = ["If-None-Match: *"]
        case .none, .known: break
        }
        if case .media(["text/event-stream"]) = answer { line.isStream = true }
        return line
    }

    private func path(of route: Route, about subjects: APISubjects) -> String {
        guard let place else { return route.path }
        return switch place.name {
        case APIOperation.flagKey.name:
            // PUT defines a new flag.
            route.path(name == APIOperation.putDefinition.name ? "example/new_flag" : subjects.key.address)
        case APIOperation.getChange.place?.name: route.path("\(subjects.change)")
        default: route.path(Route.values.fileName)
        }
    }

    private func content(about subjects: APISubjects) -> ([(String, String?)], JSONValue?) {
        let value = PlainValue(subjects.value, of: subjects.type).json
        let reason = JSONValue.scalar(.string("tested from the help"))
        switch name {
        case APIOperation.listFlags.name: return ([("q", subjects.key.leaf)], nil)
        case APIOperation.compare.name: return ([("left", subjects.provider), ("right", "default")], nil)
        case APIOperation.listChanges.name: return ([("limit", "5")], nil)
        case APIOperation.setFlag.name: return ([], .object(["value": value, "reason": reason]))
        case APIOperation.applyBatch.name:
            let change: [String: JSONValue] = [
                "key": .scalar(.string(subjects.key.text)), "action": .scalar(.string("set")), "value": value,
                "revision": .scalar(.string("*")),
            ]
            return ([], .object(["changes": .array([.object(change)]), "preview": .scalar(.bool(true))]))
        case APIOperation.importValues.name:
            let nested = subjects.key.components.reversed().reduce(value) { .object([$1: $0]) }
            return ([("preview", "true")], nested)
        case APIOperation.putDefinition.name:
            let definition: [String: JSONValue] = [
                "type": .scalar(.string("bool")), "default": .scalar(.bool(false)),
                "description": .scalar(.string("The description.")),
            ]
            return ([], .object(["definition": .object(definition), "reason": reason]))
        case APIOperation.moveDefinition.name:
            return ([], .object(["action": .scalar(.string("retire")), "reason": .scalar(.string("unused"))]))
        case APIOperation.addNote.name: return ([], .object(["reason": reason]))
        case APIOperation.revertChange.name, APIOperation.undo.name:
            return ([], .object(["reason": reason, "preview": .scalar(.bool(true))]))
        case APIOperation.evaluateFlags.name, APIOperation.evaluateFlag.name:
            return ([], .object(["context": .object([:])]))
        default: return ([], nil)
        }
    }
}

extension FlagKeyPath {
    var address: String { PageLink.steps(of: self) ?? PageLink.encode(text) }
}
