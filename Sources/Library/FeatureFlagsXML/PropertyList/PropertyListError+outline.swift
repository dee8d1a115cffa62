extension PropertyListError {
    /// What sort of fault it is and what to do, without anything of what the file holds: fit for people who must not
    /// see all of it.
    public var outline: String { cause.outline }
}

extension PropertyListError.Cause {
    var outline: String {
        switch self {
        case .tooLarge, .invalidBytes, .controlCharacter, .doctype, .internalSubset, .tooDeep, .tooMany, .tagTooLong,
            .keyTooLong, .nesting,
            .valueWithoutKey, .text, .secondRoot, .noRoot, .unexpectedSpan:
            text
        case .notPropertyList: "this is not an XML property list"
        case .encoding: "the property list is not encoded in UTF-8; convert it"
        case .malformed: "malformed XML; correct it"
        case .entity: "entity references are not allowed; write the text itself"
        case .unknownElement: "this is no property list element; correct its name or remove it"
        case .keyWithoutValue: "a key has no value; put one after it or remove the key"
        case .duplicateKey(_, _, let place):
            "this <dict> has the same key on line \(place.line) already; remove one of the two"
        case .notStorable: "a property list can't store a value"
        }
    }
}
