import HTTPTypes
import Hummingbird

extension Request {
    /// The values of the cookies of a name, each once.
    ///
    /// A browser sends several of one name where they were set for several paths or by several hosts.
    ///
    /// - Returns: The values that are not empty, in the order of the request: the one of the longest path first.
    func cookies(named name: String, upTo maximum: Int) -> [String] {
        var found: [String] = []
        for header in headers[values: .cookie] {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                guard found.count < maximum, pair.starts(with: "\(name)=".utf8) else { continue }
                let value = String(pair.dropFirst(name.utf8.count + 1)) ?? ""
                if !value.isEmpty, !found.contains(value) { found.append(value) }
            }
        }
        return found
    }
}
