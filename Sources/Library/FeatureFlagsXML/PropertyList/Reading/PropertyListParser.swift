import FeatureFlags
import Foundation

#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// Runs libxml2's SAX2 parser over a source and records the exact bytes of every element.
///
/// It opens nothing but the source: it expands no entity and loads no document type definition.
final class PropertyListParser {
    private let source: UnsafeBufferPointer<UInt8>
    private let context: xmlParserCtxtPtr
    private var builder: PropertyListBuilder
    private var openTags: [(range: Range<Int>, closesItself: Bool)] = []
    private var lastMarkupEnd = 0
    /// libxml2 may call back after `xmlStopParser`, and still report the document as well-formed.
    private var failure: PropertyListError?

    private init(source: UnsafeBufferPointer<UInt8>, context: xmlParserCtxtPtr, map: SourceMap, depth: Int) {
        self.source = source
        self.context = context
        builder = PropertyListBuilder(map: map, depth: depth)
    }

    /// Parses a source that ``PropertyListPreflight`` has accepted, inside `depth` containers.
    static func parse(
        _ source: Data, map: SourceMap, depth: Int = 0
    ) throws(PropertyListError) -> PropertyListNode {
        _ = isLibraryReady
        let result: Result<PropertyListNode, PropertyListError> = source.withUnsafeBytes { bytes in
            let bytes = bytes.bindMemory(to: UInt8.self)
            guard let context = xmlCreateMemoryParserCtxt(bytes.baseAddress, Int32(bytes.count)) else {
                return .failure(PropertyListError(.malformed("the parser ran out of memory; try again"), at: nil))
            }
            defer { xmlFreeParserCtxt(context) }
            let parser = PropertyListParser(source: bytes, context: context, map: map, depth: depth)
            return withExtendedLifetime(parser) { parser.run() }
        }
        return try result.get()
    }

    private static let isLibraryReady: Bool = {
        xmlInitParser()
        return true
    }()

    private func run() -> Result<PropertyListNode, PropertyListError> {
        // The encoding was checked before, and converted input would have no exact byte offsets.
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            | XML_PARSE_IGNORE_ENC.rawValue
        xmlCtxtUseOptions(context, Int32(options))
        context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.sax.pointee = Self.handler
        let code = xmlParseDocument(context)
        if let failure { return .failure(failure) }
        guard code == 0, context.pointee.wellFormed == 1, let root = builder.root else {
            return .failure(builder.error(.malformed("unexpected end of the document"), at: source.count))
        }
        return .success(root)
    }

    /// Returns the parser of a callback's context, or `nil` after it has stopped.
    static func running(_ context: UnsafeMutableRawPointer?) -> PropertyListParser? {
        guard let context = context?.assumingMemoryBound(to: xmlParserCtxt.self),
            let pointer = context.pointee._private
        else { return nil }
        let parser = Unmanaged<PropertyListParser>.fromOpaque(pointer).takeUnretainedValue()
        return parser.failure == nil ? parser : nil
    }

    private var offset: Int { max(0, min(source.count, xmlByteConsumed(context))) }

    func stop(_ error: PropertyListError) {
        guard failure == nil else { return }
        failure = error
        xmlStopParser(context)
    }

    func stop(_ cause: PropertyListError.Cause, at offset: Int? = nil) {
        stop(builder.error(cause, at: offset ?? self.offset))
    }

    /// Called with the parser at the `>` or `/>` of the start tag; no attribute can contain a `<`.
    func started(_ name: PropertyListName) {
        let end = offset
        guard end < source.count else {
            return stop(.malformed("the document ends inside a tag"), at: source.lastIndex(of: Byte.less))
        }
        guard let start = lastLess(before: end), name.stands(at: start + 1, of: source) else {
            return stop(.unexpectedSpan)
        }
        let closesItself = source[end] == Byte.slash
        let tag = start..<(closesItself ? end + 2 : end + 1)
        openTags.append((tag, closesItself))
        lastMarkupEnd = tag.upperBound
        do throws(PropertyListError) {
            try builder.start(name, tag: tag)
        } catch {
            stop(error)
        }
    }

    private func lastLess(before end: Int) -> Int? {
        var offset = end - 1
        while offset >= 0, source[offset] != Byte.less { offset -= 1 }
        return offset < 0 ? nil : offset
    }

    /// Called with the parser past the `>` of the end tag, or of a start tag that closes itself.
    func ended() {
        let end = offset
        guard let tag = openTags.popLast(), let close = lastLess(before: end),
            source[end - 1] == Byte.greater,
            tag.closesItself ? tag.range == close..<end : source[close + 1] == Byte.slash
        else { return stop(.unexpectedSpan) }
        lastMarkupEnd = end
        do throws(PropertyListError) {
            try builder.end(
                range: tag.range.lowerBound..<end, content: tag.closesItself ? nil : tag.range.upperBound..<close)
        } catch {
            stop(error)
        }
    }

    func found(text: UnsafeBufferPointer<UInt8>) {
        if builder.takesText {
            do throws(PropertyListError) {
                try builder.append(text: text)
            } catch {
                stop(error)
            }
            return
        }
        guard !text.allSatisfy(Byte.isWhitespace) else { return }
        let start = source[lastMarkupEnd...].firstIndex { !Byte.isWhitespace($0) }
        stop(.text(in: builder.openElement.rawValue), at: start)
    }

    func passedMarkup() {
        lastMarkupEnd = offset
    }

    /// Called with the parser behind the external identifier, at `>` or at the `[` of an internal subset.
    func foundDoctype(name: String?) {
        let end = offset
        let start = Self.lastIndex(of: "<!DOCTYPE", in: source[..<end])
        guard end < source.count, source[end] != Byte.openBracket else { return stop(.internalSubset, at: start) }
        guard name?.lowercased() != "html" else {
            let found = "looks like an HTML page; use a file whose root element is <plist>"
            return stop(.notPropertyList(found), at: start)
        }
        guard name == "plist" else { return stop(.doctype, at: start) }
        // An external identifier, Apple's or another, is never opened.
        lastMarkupEnd = end + 1
    }

    private static func lastIndex(of text: String, in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        bytes.indices.reversed().first { bytes[$0...].starts(with: text.utf8) }
    }

    func foundEntity(_ name: String) {
        stop(.entity(name))
    }

    func reported(_ error: xmlError) {
        let message = error.message.map { String(cString: $0) } ?? "the parser gave no reason"
        if error.code == XML_WAR_UNDECLARED_ENTITY.rawValue || error.code == XML_ERR_UNDECLARED_ENTITY.rawValue {
            return stop(.entity(message.split(separator: "'").dropFirst().first.map(String.init) ?? "…"))
        }
        guard error.level == XML_ERR_FATAL else { return }
        if let marker = conflictMarker(before: offset) { return stop(.mergeConflict, at: marker) }
        let isMismatch = error.code == XML_ERR_TAG_NAME_MISMATCH.rawValue
        stop(
            .malformed(message.split(whereSeparator: \.isWhitespace).joined(separator: " ")),
            at: isMismatch ? source[..<offset].lastIndex(of: Byte.less) : nil)
    }

    /// Finds the marker that git puts before the first side of a conflict, in the line of the offset or the one before.
    private func conflictMarker(before offset: Int) -> Int? {
        var end = offset
        for _ in 0..<2 {
            let start = source[..<end].lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? 0
            if source[start...].starts(with: "<<<<<<<".utf8) { return start }
            end = max(0, start - 1)
        }
        return nil
    }
}
