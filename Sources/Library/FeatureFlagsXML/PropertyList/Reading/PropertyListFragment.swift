import Foundation

/// A part of a container's content, cut between its children.
struct PropertyListFragment {
    /// Whether the container is a dictionary, else it is an array.
    let isDictionary: Bool
    /// How many containers stand around the container.
    let depth: Int
    /// Whether the document declares that it is US-ASCII.
    let isASCII: Bool

    /// Reads the part as a file that holds nothing else, with all checks of one.
    ///
    /// - Parameter part: The bytes.
    /// - Returns: The children, each with where it starts, counted from the start of the part, and how many elements that are;
    ///   `nil` where the part is not whole children.
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
        guard case .success(let (node, elements)) = result, node.element.isDictionary == isDictionary,
            node.content?.count == part.count, let children = node.element.children
        else { return nil }
        var read: [(child: PropertyListChild, start: Int)] = []
        read.reserveCapacity(children.count)
        for run in children.runs {
            for child in run.children { read.append((child, run.start + Int(child.start))) }
        }
        // The two elements around them are not of the part.
        return (read, elements - 2)
    }
}
