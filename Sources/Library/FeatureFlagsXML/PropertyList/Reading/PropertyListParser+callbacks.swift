#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

extension PropertyListParser {
    static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = 0xDEED_BEAF  // XML_SAX2_MAGIC, a macro that Swift does not import
        handler.startElementNs = { context, name, prefix, _, namespaces, _, attributes, _, _ in
            guard let name else { return }
            PropertyListParser.running(context)?.started(
                PropertyListName(name: name, prefix: prefix, hasAttributes: namespaces + attributes > 0))
        }
        handler.endElementNs = { context, _, _, _ in
            PropertyListParser.running(context)?.ended()
        }
        let text: charactersSAXFunc = { context, bytes, count in
            PropertyListParser.running(context)?.found(text: UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        handler.characters = text
        handler.ignorableWhitespace = text
        handler.cdataBlock = text
        handler.comment = { context, _ in
            PropertyListParser.running(context)?.passedMarkup()
        }
        handler.processingInstruction = { context, _, _ in
            PropertyListParser.running(context)?.passedMarkup()
        }
        handler.internalSubset = { context, name, _, _ in
            PropertyListParser.running(context)?.foundDoctype(name: string(name))
        }
        handler.entityDecl = { context, _, _, _, _, _ in
            PropertyListParser.running(context)?.stop(.internalSubset)
        }
        handler.reference = { context, name in
            PropertyListParser.running(context)?.foundEntity(string(name) ?? "")
        }
        handler.getEntity = { _, _ in nil }
        handler.getParameterEntity = { _, _ in nil }
        handler.resolveEntity = { _, _, _ in nil }
        handler.serror = { context, error in
            guard let error else { return }
            PropertyListParser.running(context)?.reported(error.pointee)
        }
        return handler
    }
}

private func string(_ bytes: UnsafePointer<xmlChar>?) -> String? {
    bytes.map { String(cString: $0) }
}
