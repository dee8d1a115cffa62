import Hummingbird

/// Every path that the dashboard answers, in one place.
enum Routes {
    static let flags: RouterPath = "/"
    static let flag: RouterPath = "/flags/**"
    /// A flag by the field `key`, for key paths that browsers would normalise away (`.` and `..`).
    static let flagByKey: RouterPath = "/flags"
    /// The bytes of a flag's effective value, by the field `key`.
    static let flagData: RouterPath = "/data"
    static let history: RouterPath = "/history"
    static let change: RouterPath = "/history/:id"
    static let export: RouterPath = "/export"
    static let valuesExport: RouterPath = "/export/flags.xml"
    static let effectiveExport: RouterPath = "/export/effective.xml"
    static let manifestExport: RouterPath = "/export/manifest.xml"
    static let historyCSVExport: RouterPath = "/export/history.csv"
    static let historyJSONLinesExport: RouterPath = "/export/history.jsonl"
    static let signIn: RouterPath = "/sign-in"
    static let signOut: RouterPath = "/sign-out"
    static let access: RouterPath = "/access"
    static let tokens: RouterPath = "/access/tokens"
    static let tokenRevocation: RouterPath = "/access/tokens/revoke"
    static let sessionRevocation: RouterPath = "/access/sessions/revoke"

    static let apiFlags: RouterPath = "/api/v1/flags"
    static let apiFlag: RouterPath = "/api/v1/flags/**"
    /// Several changes as one.
    static let apiBatches: RouterPath = "/api/v1/batches"
    static let apiHistory: RouterPath = "/api/v1/history"
    static let apiChange: RouterPath = "/api/v1/history/:id"

    /// What stands before everything that is for machines.
    static let apiPrefix = "/api/"
    /// What stands before a flag's key path in its address for machines.
    static let apiFlagPrefix = "/api/v1/flags/"
    /// What stands before a flag's key path in its address.
    static let flagPrefix = "/flags/"

    /// The pages that only show something; every other address takes forms, or is none.
    private static let readOnlyPages = ["/", "/data", "/history", "/export", "/access"]

    /// The addresses that only take forms, and show nothing on their own.
    private static let formTargets = [
        "/sign-out", "/access/tokens", "/access/tokens/revoke", "/access/sessions/revoke",
    ]

    /// Whether an address answers without knowing who asks.
    static func isForEverybody(_ path: String) -> Bool {
        path == "/sign-in" || path == "/healthz"
    }

    /// Whether an address is for programs, which no page helps.
    static func isForPrograms(_ path: String) -> Bool {
        ["/api/", "/ofrep/", "/metrics", "/events"].contains { path.utf8.starts(with: $0.utf8) }
    }

    /// The methods that an address takes.
    static func methods(of path: String) -> [HTTPRequest.Method] {
        if formTargets.contains(path) { return [.post] }
        if path.utf8.starts(with: apiFlagPrefix.utf8) { return [.get, .head, .put, .delete] }
        if path == "/api/v1/batches" { return [.post] }
        if path.utf8.starts(with: apiPrefix.utf8) { return [.get, .head] }
        let isReadOnly = readOnlyPages.contains(path) || path.utf8.starts(with: "/export/".utf8)
        return isReadOnly ? [.get, .head] : [.get, .head, .post]
    }
}
