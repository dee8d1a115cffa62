import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A program that takes messages over HTTP, on a port of this machine.
final class Receiver: Sendable {
    /// A message as it came.
    struct Message: Sendable, Equatable {
        let path: String
        let headers: [String: String]
        let body: Data

        var id: String { headers["webhook-id"] ?? "" }
        var text: String { String(decoding: body, as: UTF8.self) }
        /// The number of the row that it tells of.
        var row: Int64? { id.split(separator: "_").dropFirst(2).first.flatMap { Int64($0) } }
    }

    /// What it answers.
    struct Answer: Sendable {
        var status = HTTPResponse.Status.noContent
        var headers: HTTPFields = [:]
    }

    /// What it is to answer, kept apart so that the handler holds no receiver.
    private final class Answers: Sendable {
        private let waiting = Mutex<[Answer]>([])

        func add(_ answers: [Answer]) { waiting.withLock { $0 += answers } }
        func next() -> Answer { waiting.withLock { $0.isEmpty ? Answer() : $0.removeFirst() } }
    }

    private let task: Task<Void, any Error>
    private let ports: AsyncStream<Int>
    private let known = Mutex<Int?>(nil)
    private let messages: AsyncStream<Message>
    private let answers = Answers()

    init() {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let (messages, message) = AsyncStream.makeStream(of: Message.self)
        (self.ports, self.messages) = (ports, messages)
        task = Task { [answers] in
            defer { port.finish() }
            let router = Router()
            router.post("**") { request, _ in
                let body = try await request.body.collect(upTo: 1 << 20)
                var headers: [String: String] = ["host": request.head.authority ?? ""]
                for field in request.headers { headers[field.name.canonicalName] = field.value }
                message.yield(
                    Message(path: request.uri.description, headers: headers, body: Data(body.readableBytesView)))
                let answer = answers.next()
                return Response(status: answer.status, headers: answer.headers)
            }
            var logger = Logger(label: "receiver")
            logger.logLevel = .critical
            let application = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
                logger: logger)
            try await application.run()
        }
    }

    deinit { task.cancel() }

    /// Where it listens.
    var port: Int {
        get async throws {
            if let port = known.withLock({ $0 }) { return port }
            for await port in ports {
                known.withLock { $0 = port }
                return port
            }
            try await task.value
            throw CancellationError()
        }
    }

    /// Has the next messages answered so; those after them are taken.
    func answer(_ statuses: HTTPResponse.Status..., headers: HTTPFields = [:]) {
        answers.add(statuses.map { Answer(status: $0, headers: headers) })
    }

    /// Waits for so many messages.
    func next(_ count: Int) async -> [Message] {
        var found: [Message] = []
        guard count > 0 else { return [] }
        for await message in messages {
            found.append(message)
            if found.count == count { break }
        }
        return found
    }

    func next() async -> Message? { await next(1).first }
}
