import DurableFiles
import FeatureFlags
import FeatureFlagsConnection
import FlagChanges
import Foundation
import Synchronization

/// The running apps that are connected to this server, each with its providers.
///
/// An app's values count in the app alone: reads here don't ask for them.
package final class ConnectedApps: Sendable {
    private struct State {
        var apps: [ConnectedApp] = []
        var listener: LineListener?
        var hasEnded = false
    }

    package static let maximumCount = 20
    /// The longest wait for an app's answer, such as in a debugger.
    package static let patience = Duration.seconds(3)
    private static let pauseAfterFailure = 0.1

    private let files: FlagFiles
    private let patience: Duration
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init(
        beside files: FlagFiles, patience: Duration = ConnectedApps.patience,
        log: @escaping @Sendable (String) -> Void
    ) {
        (self.files, self.patience, self.log) = (files, patience, log)
    }

    /// The providers of all apps, in the order of connection.
    package var providers: [AppProvider] { state.withLock(\.apps).flatMap(\.providers) }

    /// Accepts apps at a socket until the task is cancelled, and calls `changed` after each change of ``providers``.
    package func run(at socket: URL, changed: @Sendable () async -> Void) async {
        do throws(PlainError) {
            let listener = try LineListener(at: socket)
            let isWanted = state.withLock { state in
                if !state.hasEnded { state.listener = listener }
                return !state.hasEnded
            }
            guard isWanted else { return }
            Thread.start("flagboard.apps") { [self] in accept(listener) }
        } catch {
            log("running apps can't connect because the socket can't be opened: \(error.description)")
        }
        await withTaskCancellationHandler {
            for await _ in changes.stream { await changed() }
        } onCancel: {
            end()
        }
    }

    private func end() {
        let (listener, apps) = state.withLock { state in
            defer { (state.listener, state.apps, state.hasEnded) = (nil, [], true) }
            return (state.listener, state.apps)
        }
        listener?.end()
        for app in apps { app.end() }
        changes.continuation.finish()
    }

    private func accept(_ listener: LineListener) {
        while !state.withLock(\.hasEnded) {
            do throws(PlainError) {
                guard let socket = try listener.next() else { return }
                Thread.start("flagboard.app") { [self] in converse(on: socket) }
            } catch {
                log("refused a connection from an app: \(error.description)")
                // Without a free descriptor, the next attempt fails at once too.
                Thread.sleep(forTimeInterval: Self.pauseAfterFailure)
            }
        }
    }

    private func converse(on socket: LineSocket) {
        do throws(PlainError) {
            guard let greeting = try Self.greeting(on: socket) else { return }
            guard greeting.version == AppMessage.version else {
                throw PlainError(
                    "the app uses protocol version \(greeting.version), but this server uses \(AppMessage.version); "
                        + "build both with the same version of Flagboard")
            }
            let app = try add(greeting, socket)
            defer { remove(app) }
            log("app \(app.name) connected (process \(greeting.process))")
            try app.converse { changes.continuation.yield() }
        } catch {
            log("an app's connection ended: \(error.description)")
            // A failed connection can't tell the app why.
            _ = Result { () throws(PlainError) in try socket.send(ServerMessage(refusal: error.description)) }
        }
        socket.end()
    }

    private static func greeting(on socket: LineSocket) throws(PlainError) -> AppMessage.Greeting? {
        switch try socket.read(within: patience) {
        case .end, .nothing: return nil
        case .line(let line):
            guard let greeting = try LineSocket.message(AppMessage.self, in: line).hello else {
                throw PlainError("its first message was not a greeting")
            }
            return greeting
        }
    }

    private func add(_ greeting: AppMessage.Greeting, _ socket: LineSocket) throws(PlainError) -> ConnectedApp {
        try state.withLock { state throws(PlainError) in
            guard !state.hasEnded else { throw PlainError("the server is shutting down") }
            guard state.apps.count < Self.maximumCount else {
                throw PlainError("the limit of \(Self.maximumCount) connected apps is reached")
            }
            let taken = Set(
                state.apps.map(\.name) + files.providers.map(\.name) + ["default", "effective", "computed"])
            let name = Self.free(greeting.name, besides: taken)
            let app = ConnectedApp(
                name: name, process: greeting.process, socket: socket, files: files, patience: patience)
            state.apps.append(app)
            return app
        }
    }

    /// Returns the name, with a number if another app has it.
    private static func free(_ wanted: String, besides taken: Set<String>) -> String {
        let kept = wanted.unicodeScalars.filter { scalar in
            scalar == " "
                || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        let trimmed = String(String.UnicodeScalarView(kept.prefix(40))).trimmingCharacters(in: .whitespaces)
        let name = trimmed.isEmpty ? "app" : trimmed
        let names = [name] + (2...(taken.count + 2)).map { "\(name)-\($0)" }
        return names.first { !taken.contains($0) } ?? name
    }

    private func remove(_ app: ConnectedApp) {
        app.end()
        state.withLock { state in state.apps.removeAll { $0 === app } }
        log("app \(app.name) disconnected")
        changes.continuation.yield()
    }
}

extension Thread {
    fileprivate static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.start()
    }
}
