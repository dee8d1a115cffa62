import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Dispatch
import Foundation

/// Values from elsewhere, nested by the components of their key paths: a property list, or a JSON object.
public struct ImportedValues: Sendable {
    /// The most bytes that are read: 8 MiB.
    public static let maximumBytes = 8 * 1024 * 1024

    /// The most bytes of a file of as many elements as are read of a property list: 500,000 and some, however short they are.
    private static let maximumFileSize = 32 * 1024 * 1024

    /// How the values are written down.
    public enum Format: Hashable, Sendable {
        /// An Apple property list in XML, whose elements say what kind each value is.
        case propertyList
        /// A JSON object; the definition of each flag says what its text, numbers and objects stand for.
        case json
    }

    /// How the values were written down.
    public let format: Format
    /// SHA-256 of what was read.
    let digest: Data
    private let content: Content

    /// The root dictionary.
    private enum Content: Sendable {
        case propertyList(FlagValue)
        case json([String: JSONValue])
    }

    /// Reads values.
    ///
    /// What begins with `{` or `[` is read as JSON, all else as a property list.
    ///
    /// - Parameter source: The bytes of a file, or of a text that was pasted.
    /// - Throws: What is wrong with them, and where.
    public init(_ source: Data) throws(ImportError) {
        guard source.count <= Self.maximumBytes else {
            throw ImportError(
                "there are \(source.count) bytes, more than the \(Self.maximumBytes) that are read; split it")
        }
        digest = ContentHash.sha256(source)
        let marked = source.starts(with: Self.byteOrderMark) ? source.dropFirst(Self.byteOrderMark.count) : source
        let first = marked.first { !Self.blanks.contains($0) }
        guard let first else { throw ImportError("there is nothing in it") }
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

    /// Reads values on a thread of their own, one import after the other, so that no other request waits for them.
    ///
    /// - Parameter source: The bytes of a file, or of a text that was pasted.
    /// - Returns: The values.
    /// - Throws: What is wrong with them, and where.
    public static func read(_ source: Data) async throws(ImportError) -> ImportedValues {
        try await apart { Result { () throws(ImportError) in try ImportedValues(source) } }.get()
    }

    private static let thread = DispatchQueue(label: "flagboard.imports")

    /// Runs what takes long with many values, on that thread.
    static func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            thread.async { continuation.resume(returning: body()) }
        }
    }

    private static func wrongRoot(_ description: String) -> ImportError {
        ImportError("the root is \(description), wanted a dictionary of flags")
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    private static func json(_ source: Data) throws(ImportError) -> [String: JSONValue] {
        guard let text = String(validating: source, as: UTF8.self) else {
            throw ImportError("not valid JSON: the text is not UTF-8")
        }
        let json: JSONValue
        do {
            json = try FlagJSON.document(text)
        } catch {
            throw ImportError(error.description)
        }
        guard case .object(let entries) = json else { throw wrongRoot(json.briefDescription) }
        return entries
    }

    private static func propertyList(_ source: Data, saysWhatElse isUnlike: Bool) throws(ImportError) -> FlagValue {
        let root: FlagValue
        do {
            root = try PropertyListDocument(source: source, maximumSize: maximumFileSize).root
        } catch {
            throw ImportError(isUnlike ? "\(error.description), and flags as JSON with {" : error.description)
        }
        guard case .dictionary = root else { throw wrongRoot(root.briefDescription) }
        return root
    }

    /// The changes that store the values, by flag: one value at a definition's key, whatever it is; elsewhere a dictionary
    /// is a group.
    ///
    /// - Parameter catalogue: The flags that may be seen. No other definition is looked at: what is read here of a key
    ///   must not tell whether there is a flag that may not be seen.
    /// - Returns: The changes; groups without any value are not in it.
    func actions(for catalogue: FlagCatalogue) -> [FlagKeyPath: Change.Action] {
        let isDefined = { (key: FlagKeyPath) in catalogue[key]?.isDefined == true }
        switch content {
        case .propertyList(let root):
            return ValueTree(.tree(root), isDefined: isDefined).values.mapValues(Change.Action.setValue)
        case .json(let entries):
            var actions: [FlagKeyPath: Change.Action] = [:]
            Self.collect(entries, below: [], isDefined, into: &actions)
            return actions
        }
    }

    private static func collect(
        _ entries: [String: JSONValue], below path: [String], _ isDefined: (FlagKeyPath) -> Bool,
        into actions: inout [FlagKeyPath: Change.Action]
    ) {
        for (name, value) in entries {
            let key = FlagKeyPath(components: path + [name])
            if case .object(let inner) = value, !isDefined(key) {
                collect(inner, below: key.components, isDefined, into: &actions)
            } else {
                actions[key] = .setJSON(JSONInput(value))
            }
        }
    }
}

/// Why nothing can be imported from a text.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the line and the column where it is at one place.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
