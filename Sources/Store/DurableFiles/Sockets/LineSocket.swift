import CFileCalls
import Foundation
import Synchronization

/// A local socket between two processes of one user, which carries lines.
package final class LineSocket: Sendable {
    package enum Reading: Hashable, Sendable {
        case line(Data)
        /// Nothing came in the time.
        case nothing
        case end
    }

    /// In bytes; a longer line ends the connection.
    package static let longestLine = 32 * 1024 * 1024
    private static let portion = 64 * 1024
    private static let newLine = UInt8(ascii: "\n")

    private let descriptor: CInt
    private let unread = Mutex(Data())
    private let writing = Mutex(())

    package convenience init(at url: URL) throws(PlainError) {
        try self.init(try Self.make())
        try LocalAddress(url).with { address, size throws(PlainError) in
            guard connect(descriptor, address, size) == 0 else { throw .ofSystem("connecting to \(url.path)") }
        }
        try checkPeer()
    }

    /// Takes over an open socket, and closes it in the end.
    init(_ descriptor: CInt) throws(PlainError) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var yes: CInt = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
        #endif
        // A stopped process takes nothing.
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    static func make() throws(PlainError) -> CInt {
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw .ofSystem("creating a socket") }
        return descriptor
    }

    /// Refuses processes of other users, whatever the rights of the socket's file.
    func checkPeer() throws(PlainError) {
        var user: uid_t = 0
        guard flagboard_peer_user(descriptor, &user) == 0 else { throw .ofSystem("identifying the connected process") }
        guard user == geteuid() else { throw PlainError("the connected process belongs to another user (\(user))") }
    }

    /// Sends a line, waiting while the other process is busy, up to 5 s.
    package func send(_ line: Data) throws(PlainError) {
        var bytes = line
        bytes.append(Self.newLine)
        try writing.withLock { (_) throws(PlainError) in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { Self.send(descriptor, $0) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .ofSystem("sending") }
                sent += count
            }
        }
    }

    private static func send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Foundation.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
            Foundation.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        #endif
    }

    /// Waits for the next line; one thread reads.
    ///
    /// - Parameter patience: The longest wait; `nil` for no limit.
    package func read(within patience: Duration? = nil) throws(PlainError) -> Reading {
        let end = patience.map { ContinuousClock.now + $0 }
        while true {
            if let line = try nextLine() { return .line(line) }
            let rest = end.map { max(.zero, $0 - .now) }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&wait, 1, rest.map { CInt(($0 / .milliseconds(1)).rounded(.up)) } ?? -1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .ofSystem("waiting") }
            if count == 0 { return .nothing }
            if try receive() == 0 { return .end }
        }
    }

    private func nextLine() throws(PlainError) -> Data? {
        try unread.withLock { (unread) throws(PlainError) in
            guard let end = unread.firstIndex(of: Self.newLine) else {
                guard unread.count <= Self.longestLine else { throw PlainError("a line is too long") }
                return nil
            }
            let line = Data(unread[..<end])
            unread = Data(unread[(end + 1)...])
            return line
        }
    }

    private func receive() throws(PlainError) -> Int {
        var portion = [UInt8](repeating: 0, count: Self.portion)
        while true {
            let count = recv(descriptor, &portion, portion.count, 0)
            if count < 0, errno == EINTR { continue }
            // A process that ended with unread bytes resets the connection.
            if count < 0, errno == ECONNRESET { return 0 }
            guard count >= 0 else { throw .ofSystem("receiving") }
            unread.withLock { $0.append(contentsOf: portion[..<count]) }
            return count
        }
    }

    /// `true` if the other process has gone or given up on this one.
    package var isEnded: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 0
    }

    /// Ends the connection in both directions, which wakes a waiting reader.
    package func end() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }
}

/// A listening local socket, in a folder of the user alone.
package final class LineListener: Sendable {
    private static let backlog: CInt = 16

    private let descriptor: CInt
    private let url: URL

    package init(at url: URL) throws(PlainError) {
        self.url = url
        descriptor = try LineSocket.make()
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        try LocalAddress(url).with { address, size throws(PlainError) in
            guard bind(descriptor, address, size) == 0, listen(descriptor, Self.backlog) == 0 else {
                throw .ofSystem("listening on \(url.path)")
            }
        }
    }

    deinit {
        close(descriptor)
        unlink(url.path)
    }

    /// Waits for the next process; `nil` after ``end()``.
    ///
    /// - Throws: An error for a process that may not connect, and where the system accepts none for now.
    package func next() throws(PlainError) -> LineSocket? {
        while true {
            let accepted = accept(descriptor, nil, nil)
            if accepted < 0, errno == EINTR || errno == ECONNABORTED { continue }
            if accepted < 0, errno == EINVAL || errno == EBADF { return nil }
            guard accepted >= 0 else { throw .ofSystem("accepting a connection") }
            let socket = try LineSocket(accepted)
            try socket.checkPeer()
            return socket
        }
    }

    /// Ends the wait for processes.
    package func end() {
        #if canImport(Darwin)
            close(descriptor)
        #else
            shutdown(descriptor, CInt(SHUT_RDWR))
        #endif
    }
}

private struct LocalAddress {
    private var address = sockaddr_un()

    init(_ url: URL) throws(PlainError) {
        let path = Array(url.path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < room else { throw PlainError("the path \(url.path) is too long for a socket") }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    }

    func with(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(PlainError) -> Void
    ) throws(PlainError) {
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Result { () throws(PlainError) in try body(address, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
        try result.get()
    }
}

extension PlainError {
    static func ofSystem(_ action: String) -> PlainError {
        PlainError("\(action) failed: \(String(cString: strerror(errno)))")
    }
}
