import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The app's part of a conversation with the dashboard, on one thread.
struct AppSession: Sendable {
    /// The state is compared at most this often.
    private static let pause = Duration.milliseconds(100)
    /// The part of the time that comparing may take.
    private static let share = 50

    private let flags: any AppFlags
    private let name: String

    init(_ flags: any AppFlags, name: String) { (self.flags, self.name) = (flags, name) }

    /// Sends the app's values and makes the dashboard's changes, until either side ends the connection.
    ///
    /// - Throws: The reason why the dashboard refused the app, or the failure of the connection.
    func run(
        on socket: LineSocket, connected: (String) -> Void, isEnded: () -> Bool
    ) throws(PlainError) {
        defer { socket.end() }
        try socket.send(
            AppMessage(hello: .init(name: name, process: ProcessInfo.processInfo.processIdentifier)))
        var sent = state()
        try socket.send(AppMessage(state: sent))
        var next = ContinuousClock.now + Self.pause
        while !isEnded() {
            switch try socket.read(within: Self.pause) {
            case .end: return
            case .nothing: break
            case .line(let line):
                let message = try LineSocket.message(ServerMessage.self, in: line)
                if let name = message.welcome { connected(name) }
                if let refusal = message.refusal { throw PlainError(refusal) }
                // The dashboard has given up on what waited while this process was stopped.
                if let request = message.request, !socket.isEnded { try answer(request, on: socket, after: &sent) }
            }
            guard ContinuousClock.now >= next else { continue }
            let start = ContinuousClock.now
            try send(state(), on: socket, after: &sent)
            next = .now + max(Self.pause, (ContinuousClock.now - start) * Self.share)
        }
    }

    private func send(
        _ state: AppMessage.State, on socket: LineSocket, after sent: inout AppMessage.State
    ) throws(PlainError) {
        guard state != sent else { return }
        sent = state
        try socket.send(AppMessage(state: state))
    }

    private func answer(
        _ request: ServerMessage.Request, on socket: LineSocket, after sent: inout AppMessage.State
    ) throws(PlainError) {
        var problem: String?
        do throws(PlainError) {
            try make(request, knowing: sent)
        } catch {
            problem = error.description
        }
        // First, so that the answer finds the dashboard up to date.
        try send(state(), on: socket, after: &sent)
        try socket.send(AppMessage(answer: .init(request: request.id, problem: problem)))
    }

    private func make(_ request: ServerMessage.Request, knowing sent: AppMessage.State) throws(PlainError) {
        guard let provider = flags.providers.first(where: { $0.name == request.provider }), provider.isWritable else {
            throw PlainError("the app has no writable provider named \(request.provider)")
        }
        let keys = try request.changes.map { (change) throws(PlainError) in try keyPath(change.key) }
        let known = sent.providers.first { $0.name == request.provider }
        let now = state().providers.first { $0.name == request.provider }
        for change in request.changes where known?.values[change.key] != now?.values[change.key] {
            throw PlainError("the app itself changed \(change.key) in the meantime")
        }
        do {
            try flags.setStoredValues(zip(keys, request.changes).map { ($0, $1.value) }, in: provider)
        } catch {
            throw PlainError("\(error)")
        }
    }

    private func keyPath(_ text: String) throws(PlainError) -> FlagKeyPath {
        let flag = flags.featureFlags.first { $0.keyPath.text == text && !$0.metadata.isInternal }
        guard let flag else { throw PlainError("the app has no flag \(text)") }
        return flag.keyPath
    }

    private func state() -> AppMessage.State {
        let (held, effective) = flags.providerValues(showsInternal: false)
        let providers = zip(flags.providers, held).map { provider, held in
            AppMessage.Provider(
                name: held.provider, description: held.description, isWritable: held.isWritable,
                file: (provider as? LocalProvider)?.localURL?.path, values: held.values.byText,
                broken: held.broken.byText.mapValues(\.description), lastGood: held.lastGood.byText)
        }
        return AppMessage.State(providers: providers, effective: effective.byText)
    }
}

extension Dictionary where Key == FlagKeyPath {
    fileprivate var byText: [String: Value] { reduce(into: [:]) { $0[$1.key.text] = $1.value } }
}
