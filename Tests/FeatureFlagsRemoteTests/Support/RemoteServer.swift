import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1 that answers what a test says, byte by byte.
final class RemoteServer: Sendable {
    /// What was asked.
    struct Question: Sendable {
        var method = ""
        var path = ""
        var headers = HTTPHeaders()
        var body = ""

        subscript(name: String) -> String? { headers.first(name: name) }
    }

    /// What is answered.
    enum Reply: Sendable {
        /// A status, headers and a body.
        case answer(Int, [String: String], Data)
        /// Bytes as they are, and then the end of the connection.
        case bytes([UInt8])
        /// Bytes as they are, and then nothing more.
        case stalled([UInt8])
        /// A stream of events, whose connection ends with it.
        case events(AsyncStream<String>)
        /// Nothing at all.
        case silence

        static func json(_ text: String, tag: String? = nil) -> Reply {
            var headers = ["Content-Type": "application/json"]
            headers["ETag"] = tag
            return .answer(200, headers, Data(text.utf8))
        }

        static func status(_ status: Int, _ headers: [String: String] = [:]) -> Reply {
            .answer(status, headers, Data())
        }
    }

    typealias Script = @Sendable (Question) async -> Reply

    /// Every question, as it comes.
    let questions: AsyncStream<Question>
    private let asked: AsyncStream<Question>.Continuation
    private let current: ScriptBox
    private let listener: any Channel
    private let scheme: String
    let port: Int

    init(
        port: Int = 0, certificate: Certificate? = nil, _ script: @escaping Script
    ) async throws {
        let (questions, asked) = AsyncStream.makeStream(of: Question.self)
        (self.questions, self.asked) = (questions, asked)
        let current = ScriptBox(script)
        let context = try certificate.map { try NIOSSLContext(configuration: $0.configuration()) }
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(
                        Answering { question in
                            current.asked.withLock { $0.append(question.path) }
                            asked.yield(question)
                            let script = current.script.withLock { $0 }
                            return await script(question)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        self.current = current
        self.port = listener.localAddress?.port ?? 0
        scheme = certificate == nil ? "http" : "https"
    }

    private final class ScriptBox: Sendable {
        let script: Mutex<Script>
        let asked = Mutex<[String]>([])

        init(_ script: @escaping Script) { self.script = Mutex(script) }
    }

    /// The address of a path.
    func address(_ path: String = "/flags.json") -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

    /// How often a path was asked for.
    func count(at path: String) -> Int { current.asked.withLock { $0.count { $0 == path } } }

    /// Answers otherwise from now on.
    func answer(_ script: @escaping Script) { current.script.withLock { $0 = script } }

    /// Answers the same to each question from now on.
    func answer(_ reply: Reply) { answer { _ in reply } }

    /// Takes no more connections; those that are open stay.
    func close() async throws {
        try await listener.close()
    }
}

private final class Answering: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let reply: @Sendable (RemoteServer.Question) async -> RemoteServer.Reply
    private let question = Mutex(RemoteServer.Question())

    init(_ reply: @escaping @Sendable (RemoteServer.Question) async -> RemoteServer.Reply) { self.reply = reply }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            question.withLock {
                $0 = RemoteServer.Question(method: head.method.rawValue, path: head.uri, headers: head.headers)
            }
        case .body(let buffer): question.withLock { $0.body += String(buffer: buffer) }
        case .end:
            let (channel, question) = (context.channel, question.withLock { $0 })
            Task { await self.answer(question, channel) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ question: RemoteServer.Question, _ channel: any Channel) async {
        // A client may be gone by now.
        do {
            switch await reply(question) {
            case .answer(let status, let headers, let body):
                var head = "HTTP/1.1 \(status) Whatever\r\n"
                for (name, value) in headers { head += "\(name): \(value)\r\n" }
                if status != 304, status != 204 { head += "Content-Length: \(body.count)\r\n" }
                try await channel.writeAndFlush(ByteBuffer(bytes: Data((head + "\r\n").utf8) + body))
            case .bytes(let bytes):
                try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
                try await channel.close()
            case .stalled(let bytes): try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
            case .events(let texts):
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"
                try await channel.writeAndFlush(ByteBuffer(string: head))
                for await text in texts { try await channel.writeAndFlush(ByteBuffer(string: text)) }
                try await channel.close()
            case .silence: break
            }
        } catch {
            channel.close(promise: nil)
        }
    }
}
