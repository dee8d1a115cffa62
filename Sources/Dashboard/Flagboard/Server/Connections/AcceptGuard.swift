import Foundation
import Logging
import NIOCore

/// Keeps a server from accepting more connections than the process has descriptors for, and from ending where it can't accept one.
///
/// A connection that can't be accepted is an error to those behind, who would take no other one from then on.
final class AcceptGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// How long the server waits where no connection can be accepted.
    private static let pause = TimeAmount.milliseconds(100)

    private let most: Int
    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var count = 0
    /// Whether the server wants more connections than there may be now.
    private var isReadHeld = false
    private var isPausing = false
    /// `true` while the channel ignores its socket, which would otherwise report pending connections continuously.
    private var isStopped = false
    /// `true` once a failure to accept connections is logged.
    private var isTold = false

    /// - Parameters:
    ///   - most: How many connections may be accepted and not closed yet.
    ///   - logger: Takes that none can be accepted.
    init(most: Int, logger: Logger) {
        (self.most, self.logger) = (most, logger)
    }

    /// Installs the guard in front of the server's other handlers.
    static func install(on server: any Channel, most: Int, _ logger: Logger) async throws {
        try await server.eventLoop.submit {
            try server.pipeline.syncOperations.addHandler(AcceptGuard(most: most, logger: logger), position: .first)
        }.get()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        (count, isTold) = (count + 1, false)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            bound.value.count -= 1
            bound.value.goOn()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        isReadHeld = true
        goOn()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.passingErrors.contains(error.errnoCode) else {
            context.fireErrorCaught(error)
            return
        }
        if !isTold { logger.warning("No connection can be accepted for now: \(error)") }
        isTold = true
        guard !isPausing else { return }
        isPausing = true
        setReading(false)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            bound.value.isPausing = false
            bound.value.goOn()
        }
    }

    /// Transient errors of accepting: no descriptor or memory is left, or the client has gone.
    private static let passingErrors: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED]

    private func goOn() {
        guard isReadHeld || isStopped, !isPausing, count < most, let context else { return }
        isReadHeld = false
        if isStopped { setReading(true) } else { context.read() }
    }

    /// Has the channel wait for connections, or leave its socket alone.
    private func setReading(_ isReading: Bool) {
        guard let context else { return }
        isStopped = !isReading
        do {
            try context.channel.syncOptions?.setOption(.autoRead, value: isReading)
        } catch {
            // The channel is closed.
            context.fireErrorCaught(error)
        }
    }
}
