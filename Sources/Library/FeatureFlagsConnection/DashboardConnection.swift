import DurableFiles
import FeatureFlags
import Foundation
import Synchronization

/// The connection of a running app to the dashboard of its flags.
///
/// ```swift
/// let connection = try await manager.connect()
/// if case .connected(let name) = connection.state { print("The dashboard shows this app as \(name)") }
/// ```
///
/// While it lasts, the dashboard shows what each provider of the app holds, also in memory, in `UserDefaults`, and from
/// remote servers, and can change the writable ones. See <doc:FeatureFlagsConnection>.
public final class DashboardConnection: Sendable {
    /// The progress of a connection.
    ///
    /// ```swift
    /// let connection = try await manager.connect()
    /// for await state in connection.states where state == .searching { print("flagboard serve is not running") }
    /// ```
    public enum State: Hashable, Sendable {
        /// Off: a release build called ``FeatureFlags/FlagsManager/connect(file:named:inReleaseBuilds:)`` without
        /// `inReleaseBuilds`.
        case off
        /// No dashboard serves the file now; a new attempt follows each second.
        case searching
        /// The dashboard shows the app by this name.
        case connected(as: String)
        /// The dashboard refused the connection, or it failed, for this reason; a new attempt follows each second.
        case refused(String)
        /// Ended by ``disconnect()``.
        case ended
    }

    private struct Progress {
        var state: State?
        var listeners: [Int: AsyncStream<State>.Continuation] = [:]
        var nextListener = 0
        var isEnded = false
    }

    private static let pauseOfSearch = 1.0

    private let progress = Mutex(Progress())
    private let wake = DispatchSemaphore(value: 0)
    private let file: URL
    private let folder: URL
    private let session: AppSession

    init(_ flags: any AppFlags, file: URL, name: String, folder: URL = ServerRegistry.sharedFolder) {
        self.file = file
        self.folder = folder
        session = AppSession(flags, name: name)
    }

    /// The current state.
    public var state: State { progress.withLock(\.state) ?? .searching }

    /// The current state and all later ones, until the connection ends.
    public var states: AsyncStream<State> {
        AsyncStream { listener in
            let number = progress.withLock { progress in
                if let state = progress.state { listener.yield(state) }
                guard !progress.isEnded else { return 0 }
                progress.nextListener += 1
                progress.listeners[progress.nextListener] = listener
                return progress.nextListener
            }
            guard number > 0 else { return listener.finish() }
            listener.onTermination = { [weak self] _ in
                _ = self?.progress.withLock { $0.listeners.removeValue(forKey: number) }
            }
        }
    }

    /// Ends the connection; the dashboard then shows nothing of the app.
    public func disconnect() {
        let listeners = progress.withLock { progress in
            progress.isEnded = true
            progress.state = .ended
            defer { progress.listeners = [:] }
            return progress.listeners.values.map(\.self)
        }
        for listener in listeners {
            listener.yield(.ended)
            listener.finish()
        }
        wake.signal()
    }

    private var isEnded: Bool { progress.withLock(\.isEnded) }

    private func enter(_ state: State) {
        let listeners = progress.withLock { progress in
            guard !progress.isEnded, progress.state != state else { return [AsyncStream<State>.Continuation]() }
            progress.state = state
            return progress.listeners.values.map(\.self)
        }
        for listener in listeners { listener.yield(state) }
    }

    func turnOff() { enter(.off) }

    /// Connects in a thread of its own, and returns after the first attempt.
    func start() async {
        let states = states
        let thread = Thread { [self] in
            while !isEnded {
                attempt()
                _ = wake.wait(timeout: .now() + Self.pauseOfSearch)
            }
        }
        thread.name = "flagboard.connection"
        thread.start()
        for await _ in states { return }
    }

    private func attempt() {
        do {
            guard let socket = try socket() else { return enter(.searching) }
            try session.run(on: socket) { name in
                enter(.connected(as: name))
            } isEnded: {
                isEnded
            }
            enter(.searching)
        } catch {
            enter(.refused(error.description))
        }
    }

    /// Finds the dashboard's socket; `nil` if none serves the file.
    private func socket() throws(PlainError) -> LineSocket? {
        let found: URL
        do throws(FileAccessError) {
            guard let server = try ServerRegistry.server(of: AtomicFile.target(of: file), in: folder),
                let address = server.socketForApps, AtomicFile.look(at: address) != nil
            else { return nil }
            found = address
        } catch {
            throw PlainError("can't look up this user's servers: \(error)")
        }
        return try LineSocket(at: found)
    }
}
