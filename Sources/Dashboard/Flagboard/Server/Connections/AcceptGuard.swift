import Foundation
import Logging
import NIOCore

/// Limits accepted connections to the available descriptors, and survives failures to accept.
///
/// The handlers behind would accept no other connection after an error.
final class AcceptGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private static let pause = TimeAmount.milliseconds(100)

    private let most: Int
    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var count = 0
    /// A read waits for room.
    private var isReadHeld = false
    private var isPausing = false
    /// The channel ignores its socket, which would otherwise report pending connections continuously.
    private var isStopped = false
    private var isTold = false

    /// - Parameter most: Limit of connections that are accepted and not closed yet.
    init(most: Int, logger: Logger) {
        (self.most, self.logger) = (most, logger)
    }

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
        if !isTold { logger.warning("Can't accept connections for now: \(error)") }
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

    /// Transient accept errors: out of descriptors or memory, or the client has gone.
    private static let passingErrors: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED]

    private func goOn() {
        guard isReadHeld || isStopped, !isPausing, count < most, let context else { return }
        isReadHeld = false
        if isStopped { setReading(true) } else { context.read() }
    }

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
