import FeatureFlags
import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PrometheusMetrics
import Testing

@testable import Flagboard

/// A dashboard over real files in a folder of its own, asked over HTTP.
final class DashboardFixture {
    let folder: URL
    let service: ChangeService
    let dashboard: Dashboard

    var file: URL { folder.appending(path: "flags.xml") }
    var manifest: URL { folder.appending(path: "flags.manifest.xml") }

    /// Serves files of these contents: the values' root dictionary, the manifest's arrays, and a second provider's root.
    ///
    /// Without `flags` there is no manifest, without `team` no second provider, which may be another environment, and
    /// without `overrides` no property list of an app with Override. Requests ask for the host `localhost`; only where that
    /// is local, everybody may know of files.
    init(
        _ values: String, flags: [String]? = nil, collections: [String] = [], team: String? = nil,
        isTeamAsked: Bool = true, overrides: String? = nil, host: String = "localhost",
        role: ChangeAuthor.Role = .editor,
        scheme: Dashboard.Scheme = .http, isLocal: Bool = false,
        publicURL: PublicURL? = nil, otherOrigins: Set<String> = [], access: ((URL) -> AccessPolicy)? = nil,
        clock: @escaping @Sendable () -> Date = { Date() },
        adjust: (inout ChangeService.Options) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dashboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "flags.xml")
        try Data(Self.plist("<dict>\(values)</dict>").utf8).write(to: file)
        if let flags {
            let root = """
                <dict><key>version</key><integer>1</integer><key>flags</key><array>\(flags.joined())</array>\
                <key>collections</key><array>\(collections.joined())</array></dict>
                """
            try Data(Self.plist(root).utf8).write(to: folder.appending(path: "flags.manifest.xml"))
        }
        var others: [FlagFiles.Provider] = []
        if let team {
            let url = folder.appending(path: "team.xml")
            try Data(Self.plist("<dict>\(team)</dict>").utf8).write(to: url)
            others = [FlagFiles.Provider(name: "Team", url: url, isWritable: true, isAsked: isTeamAsked)]
        }
        var files = FlagFiles(values: file, others: others)
        if let overrides {
            let url = folder.appending(path: "app.plist")
            try Data(Self.plist("<dict>\(overrides)</dict>").utf8).write(to: url)
            files.defaults = [DefaultsFile(name: "App", url: url, form: .override, keyPrefix: "Override_")]
        }
        let metrics = DashboardMetrics(registry: .ofDashboard(), isForEverybody: isLocal)
        var options = ChangeService.Options()
        metrics.observe(&options)
        adjust(&options)
        service = try ChangeService(files: files, options: options)
        let hosts = HostAllowList()
        hosts.allow(host: host, port: host == "localhost" ? 80 : 1)
        var sending = WebhookSender.Options()
        sending.now = clock
        dashboard = Dashboard(
            service: service, pages: .fixed(try Samples.pageSet),
            access: access?(folder) ?? .open(as: Dashboard.Person(name: "ada", role: role)), hosts: hosts,
            scheme: scheme, metrics: metrics, source: nil,
            webhooks: WebhookSender(telling: service, options: sending), publicURL: publicURL,
            otherOrigins: otherOrigins, clock: clock)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    static func plist(_ root: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n\(root)\n</plist>\n"
    }

    /// A flag's dictionary for the manifest.
    static func flag(_ key: String, _ type: String, _ more: String = "") -> String {
        "<dict><key>key</key><string>\(key)</string><key>type</key><string>\(type)</string>\(more)</dict>"
    }

    /// What was answered.
    struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: String

        /// The value of a hidden field of the flag's form.
        func field(_ name: String) -> String? {
            body.firstRange(of: "name=\"\(name)\" value=\"").map { start in
                String(body[start.upperBound...].prefix { $0 != "\"" })
            }
        }
    }

    /// Sends a request; a body is marked as a form's unless the headers say something else.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], body: String? = nil
    ) async throws -> Answer {
        let application = Application(router: dashboard.router(logger: Logger(label: "test")))
        var headers = headers
        if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let sent = headers
        return try await application.test(.router) { client in
            try await client.execute(
                uri: path, method: method, headers: sent, body: body.map { ByteBuffer(string: $0) }
            ) { response in
                Answer(
                    status: response.status.code, headers: response.headers, body: String(buffer: response.body))
            }
        }
    }

    /// Asks for many things of one application.
    func withClient<Value: Sendable>(
        _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        try await Application(router: dashboard.router(logger: Logger(label: "test"))).test(.router, body)
    }

    func get(_ path: String) async throws -> Answer { try await ask(.get, path) }

    /// Posts a form as a page of the dashboard does.
    func post(
        _ path: String, _ fields: KeyValuePairs<String, String>, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var sent = headers
        sent[.secFetchSite] = "same-origin"
        return try await ask(.post, path, sent, body: Self.encoded(fields))
    }

    /// Posts a form that asks for a preview, and goes where a browser is sent then.
    ///
    /// - Returns: The preview, or what was answered where there is none.
    func preview(_ path: String, _ headers: HTTPFields = [:], body: String) async throws -> Answer {
        var sent = headers
        sent[.secFetchSite] = "same-origin"
        let answer = try await ask(.post, path, sent, body: body)
        guard answer.status == 303, let address = answer.headers[.location], address.hasPrefix("/batch?preview=") else {
            return answer
        }
        return try await get(address)
    }

    func preview(_ path: String, _ fields: KeyValuePairs<String, String>) async throws -> Answer {
        try await preview(path, body: Self.encoded(fields))
    }

    static func encoded(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "\(PageLink.encode($0.key))=\(PageLink.encode($0.value))" }.joined(separator: "&")
    }

    func rows() throws -> [HistoryRecord] {
        try service.history.page(HistoryQuery()).records
    }
}
