import FeatureFlags
import Foundation

struct EtcdContent: Sendable {
    private let layout: EtcdLayout
    private(set) var row: EtcdHeld?
    private var providers: [String] = []
    private var values: [FlagKeyPath: [String: Data]] = [:]
    private var types: [FlagKeyPath: FlagType] = [:]
    private(set) var tree = FlagValue.dictionary([:])

    /// Reads the contents of keys; others are ignored.
    init(_ held: [String: EtcdHeld], _ layout: EtcdLayout) {
        self.layout = layout
        _ = apply(held.map { ($0, $1) })
    }

    /// Applies changes in order, and returns the flags whose value may differ.
    mutating func apply(_ changes: [(key: String, held: EtcdHeld?)]) -> Set<FlagKeyPath> {
        var changed: Set<FlagKeyPath> = []
        for (key, held) in changes {
            switch layout.place(of: key) {
            case .row: row = held
            case .providers:
                let names = Self.names(in: held)
                guard names != providers else { continue }
                providers = names
                changed.formUnion(values.keys)
            case .value(let provider, let flag):
                guard values[flag]?[provider] != held?.data else { continue }
                values[flag, default: [:]][provider] = held?.data
                if values[flag]?.isEmpty == true { values[flag] = nil }
                changed.insert(flag)
            case .definition(let flag):
                let type = Self.type(in: held)
                guard type != types[flag] else { continue }
                types[flag] = type
                changed.insert(flag)
            case nil: continue
            }
        }
        let now = changed.map { ($0, value(of: $0)) }
        // Removals come first: a flag may have become a group.
        for case (let key, nil) in now { tree = tree.setting(nil, at: key.components[...]) }
        for case (let key, let value?) in now { tree = tree.setting(value, at: key.components[...]) }
        return changed
    }

    /// The contents for a cache, with only the type of each definition.
    var keys: [String: Data] {
        var keys = [layout.providers: Data(FlagJSON.line(.array(providers.map { .scalar(.string($0)) })).utf8)]
        keys[layout.row] = row?.data
        for (flag, held) in values {
            for (provider, data) in held { keys[layout.value(of: provider, at: flag)] = data }
        }
        for (flag, type) in types {
            keys[layout.definition(of: flag)] = Data(
                FlagJSON.line(.object(["type": .scalar(.string(type.rawValue))])).utf8)
        }
        return keys
    }

    private func value(of key: FlagKeyPath) -> FlagValue? {
        guard let held = values[key] else { return nil }
        let data = providers.lazy.compactMap { held[$0] }.first
        return data.map { Self.value($0, types[key]) }
    }

    /// Returns a value as a provider holds it.
    ///
    /// What is not JSON, or a property list can't hold, becomes data, which breaks a flag unless its type is `json`.
    private static func value(_ data: Data, _ type: FlagType?) -> FlagValue {
        if type?.rules.form == .document { return .data(data) }
        let stored: FlagValue?
        do throws(FlagValueError) {
            stored = try FlagJSON.document(String(decoding: data, as: UTF8.self)).stored
        } catch {
            return .data(data)
        }
        if type?.rules.isData == true, case .string(let text) = stored, let bytes = Data(base64Encoded: text) {
            return .data(bytes)
        }
        return stored ?? .data(data)
    }

    private static func names(in held: EtcdHeld?) -> [String] {
        guard let held, case .success(.array(let names)) = json(held.data) else { return [] }
        return names.compactMap { if case .scalar(.string(let name)) = $0 { name } else { nil } }
    }

    private static func type(in held: EtcdHeld?) -> FlagType? {
        guard let held, case .success(.object(let fields)) = json(held.data),
            case .scalar(.string(let name))? = fields["type"]
        else { return nil }
        return FlagType(rawValue: name)
    }

    private static func json(_ data: Data) -> Result<JSONValue, FlagValueError> {
        do throws(FlagValueError) {
            return .success(try FlagJSON.document(String(decoding: data, as: UTF8.self)))
        } catch {
            return .failure(error)
        }
    }
}
