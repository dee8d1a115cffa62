import DurableFiles
import Foundation
import NIOCore
import NIOPosix

/// Resolves a host, and refuses addresses outside the public Internet.
package struct HostLookup: Sendable {
    enum Outcome: Hashable {
        case found([IPAddress])
        /// The host and its address, as a clause: `localhost is at 127.0.0.1, this machine`.
        case forbidden(String)
        /// The reason, as a clause.
        case missing(String)
    }

    private let resolve: @Sendable (String) async throws -> [IPAddress]

    package init() { self.init(Self.ask) }

    package init(_ resolve: @escaping @Sendable (String) async throws -> [IPAddress]) { self.resolve = resolve }

    /// Returns the host's addresses; forbidden if one of them is.
    func addresses(of url: WebhookURL, allowsPrivate: Bool) async -> Outcome {
        let found: [IPAddress]
        if let literal = IPAddress(url.host) {
            found = [literal]
        } else {
            do {
                found = try await resolve(url.host)
            } catch {
                return .missing("can't find the host \(url.host): \(error)")
            }
        }
        guard !found.isEmpty else { return .missing("the host \(url.host) has no address") }
        guard !allowsPrivate else { return .found(found) }
        for address in found {
            guard let name = address.closedName else { continue }
            return .forbidden("\(url.host) is \(address == IPAddress(url.host) ? "" : "at \(address), ")\(name)")
        }
        return .found(found)
    }

    /// Separate threads, so that slow lookups block nothing else.
    private static let threads = {
        let threads = NIOThreadPool(numberOfThreads: 4)
        threads.start()
        return threads
    }()

    /// Resolves on a thread that may block; it stays blocked after cancellation.
    private static func ask(_ host: String) async throws -> [IPAddress] {
        let answer = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [IPAddress].self)
        threads.submit { _ in answer.completeWith(Result { try lookUp(host) }) }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }

    private static func lookUp(_ host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            throw PlainError(String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var (found, next): ([IPAddress], UnsafeMutablePointer<addrinfo>?) = ([], list)
        while let entry = next {
            if let address = address(entry.pointee), !found.contains(address) { found.append(address) }
            next = entry.pointee.ai_next
        }
        return found
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        switch entry.ai_family {
        case AF_INET:
            entry.ai_addr?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
                withUnsafeBytes(of: place.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            entry.ai_addr?.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { place in
                withUnsafeBytes(of: place.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: nil
        }
    }
}

extension IPAddress {
    private struct Block {
        let start: [UInt8]
        let bits: Int
        let name: String

        init(_ start: [UInt8], _ bits: Int, _ name: String) {
            self.start = start
            self.bits = bits
            self.name = name
        }

        func holds(_ bytes: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { place in
                let mask = UInt8(0x80) >> UInt8(place % 8)
                let wanted = place / 8 < start.count ? start[place / 8] : 0
                return bytes[place / 8] & mask == wanted & mask
            }
        }
    }

    /// The IPv4 blocks that are not public, from IANA's registry of special-purpose addresses.
    private static let closedFour = [
        Block([0], 8, "an address on this network"), Block([10], 8, "a private address"),
        Block([100, 64], 10, "a carrier-grade NAT address"), Block([127], 8, "this machine"),
        Block([169, 254], 16, "a link-local address"), Block([172, 16], 12, "a private address"),
        Block([192, 0, 0], 24, "a reserved address"), Block([192, 0, 2], 24, "a documentation address"),
        Block([192, 88, 99], 24, "a reserved address"), Block([192, 168], 16, "a private address"),
        Block([198, 18], 15, "a benchmarking address"), Block([198, 51, 100], 24, "a documentation address"),
        Block([203, 0, 113], 24, "a documentation address"), Block([224], 4, "a multicast address"),
        Block([240], 4, "a reserved address"),
    ]

    /// The IPv6 blocks that embed an IPv4 address, at an offset in bytes.
    private static let carriers: [(block: Block, place: Int)] = [
        (Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96, ""), 12), (Block([0, 0x64, 0xFF, 0x9B], 96, ""), 12),
        (Block([0x20, 0x02], 16, ""), 2),
    ]

    /// The IPv6 blocks that are not public; only 2000::/3 has public ones.
    private static let closedSix = [
        Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 128, "an unspecified address"),
        Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, "this machine"),
        Block([0xFC], 7, "a private address"), Block([0xFE, 0x80], 10, "a link-local address"),
        Block([0xFF], 8, "a multicast address"), Block([0x20, 0x01], 23, "a reserved address"),
        Block([0x20, 0x01, 0x0D, 0xB8], 32, "a documentation address"),
        Block([0x3F, 0xFF], 20, "a documentation address"),
    ]
    private static let openSix = Block([0x20], 3, "")

    /// The kind of a non-public address, such as `a private address`; `nil` for a public one.
    package var closedName: String? {
        if bytes.count == 4 { return Self.closedFour.first { $0.holds(bytes) }?.name }
        for (block, place) in Self.carriers where block.holds(bytes) {
            return IPAddress(bytes: Array(bytes[place..<place + 4])).closedName
        }
        if let closed = Self.closedSix.first(where: { $0.holds(bytes) }) { return closed.name }
        return Self.openSix.holds(bytes) ? nil : "a reserved address"
    }
}
