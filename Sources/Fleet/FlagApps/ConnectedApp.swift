import DurableFiles
import FeatureFlags
import FeatureFlagsConnection
import FlagChanges
import Foundation
import Synchronization

final class ConnectedApp: Sendable {
    private struct State {
        var providers: [AppProvider] = []
        var waiting: [Int: Waiting] = [:]
        var lastRequest = 0
        var hasEnded = false
    }

    /// A change without an answer yet.
    private final class Waiting: Sendable {
        let answered = DispatchSemaphore(value: 0)
        let answer = Mutex<AppMessage.Answer?>(nil)
    }

    let name: String
    private let process: Int32
    private let socket: LineSocket
    private let files: FlagFiles
    private let patience: Duration
    private let state = Mutex(State())

    init(name: String, process: Int32, socket: LineSocket, files: FlagFiles, patience: Duration) {
        (self.name, self.process, self.socket, self.files, self.patience) = (name, process, socket, files, patience)
    }

    var providers: [AppProvider] { state.withLock(\.providers) }

    /// Reads the app's messages until the connection ends.
    func converse(changed: () -> Void) throws(PlainError) {
        try socket.send(ServerMessage(welcome: name))
        while case .line(let line) = try socket.read() {
            let message = try LineSocket.message(AppMessage.self, in: line)
            if let sent = message.state {
                let providers = appProviders(sent)
                state.withLock { $0.providers = providers }
                changed()
            }
            if let answer = message.answer {
                let waiting = state.withLock { $0.waiting.removeValue(forKey: answer.request) }
                waiting?.answer.withLock { $0 = answer }
                waiting?.answered.signal()
            }
        }
    }

    /// Ends the connection; changes that wait for an answer are refused.
    func end() {
        socket.end()
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for request in waiting { request.answered.signal() }
    }

    /// The values that the app reads, then those of each provider; a file served here is changed as such.
    private func appProviders(_ sent: AppMessage.State) -> [AppProvider] {
        let effective = AppProvider(
            name: name, description: "values in the running app (process \(process))", connectedApp: name,
            values: sent.effective.byKey)
        return [effective]
            + sent.providers.map { provider in
                let file = served(provider)
                return AppProvider(
                    name: "\(name)/\(provider.name)",
                    description: file.map { "the file served here as \($0)" } ?? provider.description ?? "",
                    declaredName: provider.name, connectedApp: name, values: provider.values.byKey,
                    broken: provider.broken.mapValues { FlagValueError($0) }.byKey, lastGood: provider.lastGood.byKey,
                    writer: provider.isWritable && file == nil ? writer(of: provider.name) : nil)
            }
    }

    private func served(_ provider: AppMessage.Provider) -> String? {
        provider.file.flatMap { path in
            let file = AtomicFile.target(of: URL(filePath: path)).path
            return files.providers.first { $0.url.path == file }?.name
        }
    }

    private func writer(of provider: String) -> AppProvider.Writer {
        { [weak self, name] changes throws(PlainError) in
            guard let self else { throw PlainError("\(name) is no longer connected") }
            try make(changes, in: provider)
        }
    }

    private func make(_ changes: [AppProvider.Change], in provider: String) throws(PlainError) {
        let waiting = Waiting()
        let id = try state.withLock { (state) throws(PlainError) in
            guard !state.hasEnded else { throw PlainError("\(name) is no longer connected") }
            state.lastRequest += 1
            state.waiting[state.lastRequest] = waiting
            return state.lastRequest
        }
        let request = ServerMessage.Request(
            id: id, provider: provider, changes: changes.map { .init(key: $0.key.text, value: $0.after) })
        do throws(PlainError) {
            try socket.send(ServerMessage(request: request))
        } catch {
            // Part of a line may be sent, so no other can follow.
            end()
            throw error
        }
        guard waiting.answered.wait(timeout: .now() + patience / .seconds(1)) == .success else {
            // Unread changes must not be made later: a stopped app finds the end first.
            end()
            throw PlainError(
                "\(name) didn't respond within \(Int(patience / .seconds(1))) seconds and was disconnected")
        }
        guard let answer = waiting.answer.withLock(\.self) else {
            throw PlainError("\(name) ended before it responded")
        }
        if let problem = answer.problem { throw PlainError(problem) }
    }
}

extension Dictionary where Key == String {
    /// The entries by key path; a text that is no key path names no flag.
    fileprivate var byKey: [FlagKeyPath: Value] {
        reduce(into: [:]) { result, entry in
            if let key = FlagKeyPath(text: entry.key) { result[key] = entry.value }
        }
    }
}
