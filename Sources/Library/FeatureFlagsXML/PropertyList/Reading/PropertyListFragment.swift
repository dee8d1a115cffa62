import Foundation

struct PropertyListFragment {
    let isDictionary: Bool
    let depth: Int
    let isASCII: Bool

    /// Reads the part with all checks of a file, or returns `nil` if it is not whole children.
    func children(of part: Data) -> (children: [(child: PropertyListChild, start: Int)], elements: Int)? {
        let name = isDictionary ? "dict" : "array"
        var source = Data((isASCII ? "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>" : "").utf8)
        source.append(contentsOf: "<plist><\(name)>".utf8)
        source.append(part)
        source.append(contentsOf: "</\(name)></plist>".utf8)
        let map = SourceMap(source)
        let result = Result { () throws(PropertyListError) in
            let preflight = try PropertyListPreflight(source, map: map, maximumElements: .max)
            return (try PropertyListParser.parse(source, map: map, depth: depth), preflight.elements)
        }
        guard case .success(let (node, elements)) = result, node.element.repeatedKeys == 0,
            node.element.isDictionary == isDictionary,
            node.content?.count == part.count, let children = node.element.children
        else { return nil }
        var read: [(child: PropertyListChild, start: Int)] = []
        read.reserveCapacity(children.count)
        for run in children.runs {
            for child in run.children { read.append((child, run.start + Int(child.start))) }
        }
        // Without the two elements that were added around the part.
        return (read, elements - 2)
    }
}
