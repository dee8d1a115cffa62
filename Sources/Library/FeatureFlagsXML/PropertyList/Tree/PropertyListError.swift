import FeatureFlags

/// A fault of bytes that are not a readable property list, with its place and remedy.
///
/// ```swift
/// do {
///     _ = try PropertyListDocument(source: Data("<plist><dict><key>a</key></dict></plist>".utf8))
/// } catch {
///     print(error.location?.line ?? 0, error.reason)
/// }
/// ```
public struct PropertyListError: Error, Hashable, Sendable {
    /// The place of the fault, or `nil` for the file as a whole.
    public let location: SourceLocation?
    let cause: Cause

    init(_ cause: Cause, at location: SourceLocation?) {
        self.cause = cause
        self.location = location
    }

    /// The fault and its remedy, without the place.
    public var reason: String { cause.text }
}

extension PropertyListError: CustomStringConvertible {
    /// The place and the reason: `line 3, column 7: …`.
    public var description: String { location.map { "\($0): \(reason)" } ?? reason }
}

extension PropertyListError {
    enum Cause: Hashable, Sendable {
        case notPropertyList(String)
        case tooLarge(Int, maximum: Int)
        case encoding(String)
        case invalidBytes
        case controlCharacter(UInt8)
        case malformed(String)
        case mergeConflict
        case doctype
        case internalSubset
        case entity(String)
        case tooDeep
        case tooMany(maximum: Int)
        case tagTooLong
        case keyTooLong
        case unknownElement(String)
        case nesting(String)
        case keyWithoutValue(String)
        case valueWithoutKey(String)
        case text(in: String)
        case secondRoot
        case noRoot
        case duplicateKey(String, first: String, at: SourceLocation)
        case notStorable(String)
        case unreadable(String)
        case unexpectedSpan

        var text: String {
            switch self {
            case .notPropertyList(let found):
                "this is not an XML property list: it \(found.shortened)"
            case .tooLarge(let size, let maximum):
                "the property list has \(size) bytes, and the limit is \(maximum); split it, or increase the limit"
            case .encoding(let name):
                "the property list is encoded in \(name.shortened); convert it to UTF-8"
            case .invalidBytes:
                "these bytes are not UTF-8; convert the property list to UTF-8"
            case .controlCharacter(let byte):
                "the control character \(UnicodeName.of(Unicode.Scalar(byte))) is not allowed in XML; remove it"
            case .malformed(let message):
                "invalid XML: \(message.shortened)"
            case .mergeConflict:
                "git left both sides of a merge conflict here; keep one, and remove the lines <<<<<<<, ======= and >>>>>>>"
            case .doctype:
                "the DOCTYPE is not that of a property list (<!DOCTYPE plist …); replace or remove it"
            case .internalSubset:
                "the DOCTYPE has an internal subset, which is not allowed; remove it"
            case .entity(let name):
                "the entity reference &\(name.shortened); is not allowed; write the text itself (only &amp; &lt; &gt; "
                    + "&quot; &apos; and character references are supported)"
            case .tooDeep:
                "values are nested more than \(PropertyListNode.maximumDepth) levels deep; reduce the nesting"
            case .tooMany(let maximum):
                "the property list has more than \(maximum) elements; split it, or allow a larger file"
            case .tagTooLong:
                "this tag is too long for a property list; remove its attributes, or write &lt; if you don't mean a tag"
            case .keyTooLong:
                "this key is longer than \(PropertyListNode.maximumKeySize) bytes; shorten it"
            case .unknownElement(let name):
                BrokenFlagValue(kind: .unknown(name.shortened), text: "").problem
            case .nesting(let text), .notStorable(let text), .unreadable(let text):
                text
            case .keyWithoutValue(let key):
                "the key \"\(key.shortened)\" has no value; add one after it, or remove the key"
            case .valueWithoutKey(let name):
                "this <\(name.shortened)> has no key; add a <key> before it"
            case .text(let name):
                "text is not allowed directly in <\(name)>; put it in an element such as <string>, or remove it"
            case .secondRoot:
                "a property list has one root value, and this is the second one; remove it"
            case .noRoot:
                "the <plist> is empty; add a value such as <dict/>"
            case .duplicateKey(let key, let first, let place):
                if let difference = UnicodeName.difference(of: first, from: key) {
                    "duplicate key \"\(key.shortened)\": line \(place.line) has the same key in another Unicode form (\(difference)); "
                        + "rename or remove one of them"
                } else {
                    "duplicate key \"\(key.shortened)\": this <dict> already has it on line \(place.line); remove one "
                        + "of the two"
                }
            case .unexpectedSpan:
                "can't determine the position of this element in the file; report this file as a bug"
            }
        }
    }
}

extension String {
    /// At most 200 characters, with names for those that a terminal would obey or not show.
    fileprivate var shortened: String {
        var text = ""
        for scalar in unicodeScalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += "⟨\(UnicodeName.of(scalar))⟩"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return unicodeScalars.count > 200 ? text + "…" : text
    }
}

extension PropertyListError {
    /// The kind of fault and its remedy without the file's contents, for people who must not see all of it.
    public var outline: String { cause.outline }
}

extension PropertyListError.Cause {
    var outline: String {
        switch self {
        case .tooLarge, .invalidBytes, .controlCharacter, .mergeConflict, .doctype, .internalSubset, .tooDeep, .tooMany,
            .tagTooLong,
            .keyTooLong, .nesting, .unreadable,
            .valueWithoutKey, .text, .secondRoot, .noRoot, .unexpectedSpan:
            text
        case .notPropertyList: "this is not an XML property list"
        case .encoding: "the property list is not encoded in UTF-8; convert it"
        case .malformed: "invalid XML"
        case .entity: "entity references are not allowed; write the text itself"
        case .unknownElement: "this is not a property list element; correct its name, or remove it"
        case .keyWithoutValue: "a key has no value; add one after it, or remove the key"
        case .duplicateKey(_, _, let place):
            "this <dict> already has the same key on line \(place.line); remove one of the two"
        case .notStorable: "a property list can't store a value"
        }
    }
}
