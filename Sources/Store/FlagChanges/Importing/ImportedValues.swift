import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Dispatch
import Foundation

/// Values from outside, nested by key path: a property list or a JSON object.
package struct ImportedValues: Sendable {
    package static let maximumBytes = 8 * 1024 * 1024

    /// Enough for a property list of 500,000 elements.
    private static let maximumFileSize = 32 * 1024 * 1024

    package enum Format: Hashable, Sendable {
        /// Elements state their types.
        case propertyList
        /// Values are read by the flags' types.
        case json
    }

    package let format: Format
    /// SHA-256 of the source.
    let digest: Data
    private let content: Content

    private enum Content: Sendable {
        case propertyList(FlagValue)
        case json([String: JSONValue])
    }

    /// Parses values: JSON if the first character is `{` or `[`, otherwise a property list.
    package init(_ source: Data) throws(PlainError) {
        guard source.count <= Self.maximumBytes else {
            throw PlainError(
                "the import has \(source.count) bytes, and the limit is \(Self.maximumBytes). Split it")
        }
        digest = ContentHash.sha256(source)
        let marked = source.starts(with: Self.byteOrderMark) ? source.dropFirst(Self.byteOrderMark.count) : source
        let first = marked.first { !Self.blanks.contains($0) }
        guard let first else { throw PlainError("the import is empty") }
        let isOpenStep = OpenStepText.looksLikeOpenStep(source)
        if !isOpenStep, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            format = .json
            content = .json(try Self.json(marked))
        } else {
            format = .propertyList
            content = .propertyList(
                try Self.propertyList(source, saysWhatElse: first != UInt8(ascii: "<") && !isOpenStep))
        }
    }

    /// Parses values on a serial background thread, so that no other request waits.
    package static func read(_ source: Data) async throws(PlainError) -> ImportedValues {
        try await apart { Result { () throws(PlainError) in try ImportedValues(source) } }.get()
    }

    private static let thread = DispatchQueue(label: "flagboard.imports")

    /// Runs long work on that thread.
    static func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            thread.async { continuation.resume(returning: body()) }
        }
    }

    private static func wrongRoot(_ description: String) -> PlainError {
        PlainError("the root is \(description), expected a dictionary of flags")
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    private static func json(_ source: Data) throws(PlainError) -> [String: JSONValue] {
        guard let text = String(validating: source, as: UTF8.self) else {
            throw PlainError("invalid JSON: the text is not UTF-8")
        }
        let json: JSONValue
        do {
            json = try FlagJSON.document(text)
        } catch {
            throw PlainError(error.description)
        }
        guard case .object(let entries) = json else { throw wrongRoot(json.briefDescription) }
        return entries
    }

    private static func propertyList(_ source: Data, saysWhatElse isUnlike: Bool) throws(PlainError) -> FlagValue {
        let root: FlagValue
        do {
            root = try PropertyListDocument(source: source, maximumSize: maximumFileSize).root
        } catch {
            throw PlainError(isUnlike ? "\(error.description), and JSON starts with {" : error.description)
        }
        guard case .dictionary = root else { throw wrongRoot(root.briefDescription) }
        return root
    }

    /// Calls a function with the change of each flag, ignoring hidden definitions so as not to reveal them.
    func forEachAction(for catalogue: FlagCatalogue, _ body: (FlagKeyPath, Change.Action) -> Void) {
        let isDefined = { (key: FlagKeyPath) in catalogue[key]?.isDefined == true }
        switch content {
        case .propertyList(let root):
            ValueTree(.tree(root), isDefined: isDefined).forEach { key, place in
                if case .value(let value, _) = place { body(key, .setValue(value)) }
            }
        case .json(let entries): Self.visit(entries, below: [], isDefined, body)
        }
    }

    private static func visit(
        _ entries: [String: JSONValue], below path: [String], _ isDefined: (FlagKeyPath) -> Bool,
        _ body: (FlagKeyPath, Change.Action) -> Void
    ) {
        for (name, value) in entries {
            let key = FlagKeyPath(components: path + [name])
            if case .object(let inner) = value, !isDefined(key) {
                visit(inner, below: key.components, isDefined, body)
            } else {
                body(key, .setJSON(JSONInput(value)))
            }
        }
    }
}
