import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import FlagWebhooks

/// A folder with flags that are served, and their webhooks.
final class Fixture: Sendable {
    static let start = Date(timeIntervalSince1970: 1_790_000_000)

    let folder: URL
    let service: ChangeService
    /// What was told to an operator.
    let logged: AsyncStream<String>
    private let log: AsyncStream<String>.Continuation

    /// Makes flags `shop/a`, `shop/b` with the tag `new`, `other` and the internal `hidden/secret`.
    init(showsInternal: Bool = false) throws {
        (logged, log) = AsyncStream.makeStream()
        folder = FileManager.default.temporaryDirectory.appending(path: "flagwebhooks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        func flag(_ key: String, _ more: String = "") -> String {
            "<dict><key>key</key><string>\(key)</string><key>type</key><string>string</string>\(more)</dict>"
        }
        let flags = [
            flag("shop/a"), flag("shop/b", "<key>tags</key><array><string>new</string></array>"), flag("other"),
            flag("hidden/secret", "<key>isInternal</key><true/>"),
        ]
        try Data("<plist version=\"1.0\"><dict/></plist>".utf8).write(to: folder.appending(path: "flags.xml"))
        try Data(
            """
            <plist version="1.0"><dict><key>version</key><integer>1</integer><key>flags</key><array>\(flags.joined())\
            </array></dict></plist>
            """.utf8
        ).write(to: folder.appending(path: "flags.manifest.xml"))
        service = try ChangeService(
            files: FlagFiles(values: folder.appending(path: "flags.xml")),
            options: ChangeService.Options(showsInternal: showsInternal))
    }

    deinit {
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }

    var file: WebhooksFile { WebhooksFile(service.files.webhooks) }
    var statesFile: WebhookStatesFile { WebhookStatesFile(service.files.webhooksState) }

    /// Sets a flag; a row of the history.
    func set(_ key: String..., to value: String, role: ChangeAuthor.Role = .admin) async throws {
        let author = ChangeAuthor(name: "ada", role: role, origin: .form)
        let change = Change(
            key: FlagKeyPath(components: key), action: .setText(value), reason: "why")
        _ = try await service.apply(change, by: author)
    }

    /// Adds a webhook at a receiver on this machine.
    func add(
        _ receiver: Receiver, path: String = "/hook", filters: [String] = [], template: Webhook.Template = .generic
    ) async throws -> Webhook {
        try await file.add(
            try WebhookURL("http://127.0.0.1:\(try await receiver.port)\(path)"), named: "n\(UUID().uuidString)",
            filters: try filters.map { text in try WebhookFilter(text) }, template: template, allowsPrivate: true,
            after: try service.history.chainHead().id, at: Self.start)
    }

    /// A sender that tells of rows by their key and value alone.
    func sender(_ change: (inout WebhookSender.Options) -> Void = { _ in }) -> WebhookSender {
        var options = WebhookSender.Options()
        options.log = { [log] text in log.yield(text) }
        options.post = .patient()
        change(&options)
        return WebhookSender(service, describe: Self.document, options: options)
    }

    static let document: @Sendable (HistoryRecord) throws -> JSONValue = { record in
        .object([
            "id": .scalar(.integer(Int128(record.id))), "key": .scalar(.string(record.event.key.text)),
            "after": record.event.after.map(JSONValue.init) ?? .null,
        ])
    }

    /// Runs a body while a sender sends.
    func sending<Value: Sendable>(_ sender: WebhookSender, _ body: () async throws -> Value) async throws -> Value {
        let task = Task { await sender.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        task.cancel()
        await task.value
        return try result.get()
    }
}

extension WebhookPost {
    /// One that gives up no receiver, however busy the machine is.
    static func patient(_ lookup: HostLookup = HostLookup()) -> WebhookPost {
        WebhookPost(lookup: lookup, patience: .seconds(3600), connectPatience: .seconds(3600))
    }
}
