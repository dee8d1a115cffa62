import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The changes of keys as a member reports them; those of a transaction come together.
package struct EtcdWatch: AsyncSequence, Sendable {
    package struct Batch: Sendable {
        package let revision: Int64
        /// In the order of the changes; `nil` for removed keys.
        package let changes: [(key: String, held: EtcdHeld?)]
    }

    let lines: EtcdLines
    let member: EtcdAddress.Member

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var lines: EtcdLines.Iterator
        fileprivate let member: EtcdAddress.Member

        /// Never returns `nil`, since a watch does not end by itself.
        package mutating func next() async throws(EtcdError) -> Batch? {
            while true {
                guard let line = try await line() else { throw .unreachable(member, "it ended the watch") }
                let answer = try answer(in: line)
                guard answer.compacted == nil else { throw .compacted }
                guard answer.isCanceled != true else {
                    throw .unreachable(member, "it ended the watch: \(answer.cancelReason ?? "it gives no reason")")
                }
                // The first line says that the watch has begun.
                guard let events = answer.events, !events.isEmpty else { continue }
                let changes = events.map { event in
                    (
                        String(decoding: event.pair.key, as: UTF8.self),
                        event.type == "DELETE" ? nil : event.pair.held
                    )
                }
                let revision = events.compactMap { $0.pair.modified?.value }.max() ?? 0
                return Batch(revision: revision, changes: changes)
            }
        }

        private mutating func line() async throws(EtcdError) -> ByteBuffer? {
            do {
                return try await lines.next()
            } catch {
                throw .unreachable(member, EtcdClient.text(of: error))
            }
        }

        private func answer(in line: ByteBuffer) throws(EtcdError) -> EtcdMessages.WatchAnswer {
            let read: EtcdMessages.WatchLine
            do {
                read = try JSONDecoder().decode(EtcdMessages.WatchLine.self, from: Data(line.readableBytesView))
            } catch {
                throw .unreadable(member)
            }
            if let problem = read.error {
                throw .refused(
                    member, code: problem.grpcCode ?? problem.code ?? 0, problem.message ?? "no reason given")
            }
            guard let answer = read.result else { throw .unreadable(member, "a line has no result") }
            return answer
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(lines: lines.makeAsyncIterator(), member: member) }
}

struct EtcdLines: AsyncSequence, Sendable {
    static let longest = 64 << 20

    private let body: HTTPClientResponse.Body

    init(_ body: HTTPClientResponse.Body) { self.body = body }

    struct Iterator: AsyncIteratorProtocol {
        private var pieces: HTTPClientResponse.Body.AsyncIterator
        private var rest = ByteBuffer()
        private var searched = 0

        init(_ pieces: HTTPClientResponse.Body.AsyncIterator) { self.pieces = pieces }

        mutating func next() async throws -> ByteBuffer? {
            while true {
                let view = rest.readableBytesView
                if let end = view.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                    searched = 0
                    let line = rest.readSlice(length: end - view.startIndex)
                    rest.moveReaderIndex(forwardBy: 1)
                    rest.discardReadBytes()
                    return line
                }
                searched = rest.readableBytes
                guard searched <= EtcdLines.longest else {
                    throw RemoteError.content("it sent a line of more than \(EtcdLines.longest >> 20) MiB")
                }
                guard var piece = try await pieces.next() else { return nil }
                rest.writeBuffer(&piece)
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body.makeAsyncIterator()) }
}
