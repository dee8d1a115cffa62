import FeatureFlags
import FlagHistory
import Foundation
import Synchronization

@testable import FeatureFlagsRemote
@testable import FlagChanges
@testable import FlagPublishing

/// A values file with a manifest in a folder of its own, served and published.
final class Served: Sendable {
    static let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)

    let folder: URL
    let service: ChangeService
    let log = Lines()
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(
        flags: String = Served.definitions, values: String = Served.values, options: ChangeService.Options? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "flagboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = FlagFiles(
            values: folder.appending(path: "flags.xml"),
            others: [
                .init(name: "Team", url: folder.appending(path: "team.xml"), isWritable: true),
                .init(name: "staging", url: folder.appending(path: "staging.xml"), isWritable: true, isAsked: false),
            ])
        try Data("<plist version=\"1.0\"><dict>\(values)</dict></plist>\n".utf8).write(to: files.values)
        for other in files.providers.dropFirst() {
            try Data("<plist version=\"1.0\"><dict/></plist>\n".utf8).write(to: other.url)
        }
        try Data(
            "<plist version=\"1.0\"><dict><key>version</key><integer>1</integer><key>flags</key><array>\(flags)</array></dict></plist>\n"
                .utf8
        ).write(to: files.manifest)
        service = try ChangeService(files: files, options: options ?? ChangeService.Options())
    }

    deinit {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        service.history.close()
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    static func definition(_ key: String, _ type: String, _ more: String = "") -> String {
        "<dict><key>key</key><string>\(key)</string><key>type</key><string>\(type)</string>\(more)</dict>"
    }

    static let definitions =
        [
            definition("checkout/enabled", "bool", "<key>default</key><false/>"),
            definition("checkout/limit", "integer"),
            definition("checkout/share", "double"), definition("checkout/region", "string"),
            definition("checkout/from", "date"), definition("checkout/logo", "data"),
            definition("checkout/options", "json", "<key>storage</key><string>data</string>"),
            definition("checkout/shops", "array"),
            definition("secret/token", "string", "<key>isInternal</key><true/>"),
        ].joined()
    static let values = "<key>secret</key><dict><key>token</key><string>hush</string></dict>"

    /// Edits the values file as another program does.
    func write(_ values: String) throws {
        try Data("<plist version=\"1.0\"><dict>\(values)</dict></plist>\n".utf8)
            .write(to: service.files.values, options: .atomic)
    }

    /// Publishes the flags until the test ends.
    @discardableResult
    func publish(to address: EtcdAddress, access: EtcdAccess = EtcdAccess()) -> HistoryPublisher {
        let log = log
        let publisher = HistoryPublisher(of: service, to: address, access: access) { log.add($0) }
        let task = Task { await publisher.run() }
        tasks.withLock { $0.append(task) }
        return publisher
    }

    func stopPublishing() async {
        let tasks = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in tasks {
            task.cancel()
            await task.value
        }
    }

    @discardableResult
    func set(_ key: String, _ text: String, in provider: String? = nil) async throws -> Int64? {
        try await row(Change(key: Self.key(key), action: .setText(text), provider: provider))
    }

    @discardableResult
    func reset(_ key: String, in provider: String? = nil) async throws -> Int64? {
        try await row(Change(key: Self.key(key), action: .reset, provider: provider))
    }

    private func row(_ change: Change) async throws -> Int64? {
        guard case .applied(let record) = try await service.apply(change, by: Self.author) else { return nil }
        return record.id
    }

    static func key(_ text: String) -> FlagKeyPath {
        FlagKeyPath(components: text.split(separator: "/").map(String.init))
    }
}

/// What was logged, and what comes.
final class Lines: Sendable {
    private let state = Mutex<(lines: [String], listeners: [AsyncStream<String>.Continuation])>(([], []))

    var all: [String] { state.withLock(\.lines) }

    func add(_ line: String) {
        let listeners = state.withLock { state in
            state.lines.append(line)
            return state.listeners
        }
        for listener in listeners { listener.yield(line) }
    }

    /// Waits for a line that holds a text, the lines before included.
    func line(with text: String) async -> String? {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let known = state.withLock { state in
            state.listeners.append(continuation)
            return state.lines
        }
        if let line = known.first(where: { $0.contains(text) }) { return line }
        for await line in stream where line.contains(text) { return line }
        return nil
    }
}

extension EtcdProvider {
    /// Waits until what is held satisfies a condition.
    func wait(until isMet: (EtcdProvider) throws -> Bool) async throws {
        guard let store else { return }
        let updates = store.updates
        if try isMet(self) { return }
        for await _ in updates where try isMet(self) { return }
    }

    /// Waits until a row is read.
    ///
    /// A row that changes no value here is told by none, so the test has one follow that does.
    func bool(_ key: String) throws -> Bool? {
        if case .bool(let value)? = try storedValue(at: Served.key(key)) { value } else { nil }
    }
}
