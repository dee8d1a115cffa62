import Foundation
import NIOCore
import NIOPosix

/// Finds the addresses of a host, and refuses those that are not on the public Internet.
package struct HostLookup: Sendable {
    /// Why a host is not connected to, as a clause.
    package struct LookupError: Error, Hashable, CustomStringConvertible {
        /// The clause.
        package let description: String
        /// Whether the host has an address that must not be connected to, rather than none.
        package let isForbidden: Bool
    }

    private let resolve: @Sendable (String) async throws -> [IPAddress]

    /// Asks the system.
    package init() { self.init(Self.ask) }

    /// Asks something else.
    package init(_ resolve: @escaping @Sendable (String) async throws -> [IPAddress]) { self.resolve = resolve }

    /// The addresses that may be connected to.
    ///
    /// - Throws: ``LookupError`` where there is none, or where one of them must not be.
    package func addresses(of url: WebhookURL, allowsPrivate: Bool) async throws(LookupError) -> [IPAddress] {
        let found: [IPAddress]
        if let literal = IPAddress(url.host) {
            found = [literal]
        } else {
            do {
                found = try await resolve(url.host)
            } catch {
                throw LookupError(description: "the host \(url.host) can't be found: \(error)", isForbidden: false)
            }
        }
        guard !found.isEmpty else {
            throw LookupError(description: "the host \(url.host) has no address", isForbidden: false)
        }
        guard !allowsPrivate else { return found }
        for address in found {
            guard let name = address.closedName else { continue }
            throw LookupError(
                description:
                    "\(url.host) is \(address == IPAddress(url.host) ? "" : "at \(address), ")\(name), and the "
                    + "webhook was added without --allow-private",
                isForbidden: true)
        }
        return found
    }

    /// The threads that wait for the system: its own ones, so that names that can't be found hold up nothing else.
    private static let threads = {
        let threads = NIOThreadPool(numberOfThreads: 4)
        threads.start()
        return threads
    }()

    /// Asks the system on a thread that may wait; the thread goes on waiting where the task is cancelled.
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
        guard status == 0 else { throw SystemError(description: String(cString: gai_strerror(status))) }
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

    private struct SystemError: Error, CustomStringConvertible {
        let description: String
    }
}
