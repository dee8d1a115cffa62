import FeatureFlags
import Foundation
import Hummingbird

/// Every path that the dashboard answers, in one place.
enum Routes {
    static let flags: RouterPath = "/"
    static let flag: RouterPath = "/flags/**"
    /// A flag by the field `key`, for key paths that browsers would normalise away (`.` and `..`).
    static let flagByKey: RouterPath = "/flags"
    static let newDefinition: RouterPath = "/definitions/new"
    static let definition: RouterPath = "/definitions/**"
    /// A definition by the field `key`, for key paths that browsers would normalise away, and for the flag `new`.
    static let definitionByKey: RouterPath = "/definitions"
    /// That the app was restarted.
    static let restarted: RouterPath = "/restarted"
    /// The bytes of a flag's effective value, by the field `key`.
    static let flagData: RouterPath = "/data"
    static let history: RouterPath = "/history"
    static let change: RouterPath = "/history/:id"
    /// Several changes, looked at before and made together.
    static let batch: RouterPath = "/batch"
    static let revert: RouterPath = "/history/:id/revert"
    /// Two providers side by side; what is posted copies values across.
    static let compare: RouterPath = "/compare"
    /// The flags as they were at a time; what is posted restores values.
    static let timeMachine: RouterPath = "/history/at"
    static let pastValuesExport: RouterPath = "/history/at/values.xml"
    static let pastJSONExport: RouterPath = "/history/at/values.json"
    static let export: RouterPath = "/export"
    static let valuesExport: RouterPath = "/export/flags.xml"
    static let effectiveExport: RouterPath = "/export/effective.xml"
    static let manifestExport: RouterPath = "/export/manifest.xml"
    static let valuesJSONExport: RouterPath = "/export/flags.json"
    static let effectiveJSONExport: RouterPath = "/export/effective.json"
    static let manifestJSONExport: RouterPath = "/export/manifest.json"
    static let historyCSVExport: RouterPath = "/export/history.csv"
    static let historyJSONLinesExport: RouterPath = "/export/history.jsonl"
    /// Values that come from elsewhere.
    static let importing: RouterPath = "/import"
    /// The flags that were ticked in the list.
    static let selection: RouterPath = "/selected"
    static let signIn: RouterPath = "/sign-in"
    static let signOut: RouterPath = "/sign-out"
    static let access: RouterPath = "/access"
    static let tokens: RouterPath = "/access/tokens"
    static let tokenRevocation: RouterPath = "/access/tokens/revoke"
    static let sessionRevocation: RouterPath = "/access/sessions/revoke"

    /// What changes, as it happens.
    static let events: RouterPath = "/events"
    /// What the words mean, and the keys.
    static let help: RouterPath = "/help"

    static let apiFlags: RouterPath = "/api/v1/flags"
    static let apiFlag: RouterPath = "/api/v1/flags/**"
    /// Several changes as one.
    static let apiBatches: RouterPath = "/api/v1/batches"
    /// That the app was restarted, as it reports itself.
    static let apiRestarted: RouterPath = "/api/v1/restarted"
    static let apiHistory: RouterPath = "/api/v1/history"
    static let apiChange: RouterPath = "/api/v1/history/:id"

    /// What stands before everything that is for machines.
    static let apiPrefix = "/api/"
    /// What stands before a flag's key path in its address for machines.
    static let apiFlagPrefix = "/api/v1/flags/"
    /// What stands before a flag's key path in its address.
    static let flagPrefix = "/flags/"
    /// What stands before a flag's key path in its definition's address.
    static let definitionPrefix = "/definitions/"

    /// The key path that an address names in the rest of its path.
    ///
    /// - Parameters:
    ///   - prefix: What stands before it, such as ``flagPrefix``.
    ///   - path: The address's path, percent-encoded.
    /// - Returns: `nil` where it names none.
    static func key(behind prefix: String, in path: String) -> FlagKeyPath? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(path.utf8.dropFirst(prefix.utf8.count)).flatMap(\.removingPercentEncoding)
            .flatMap { FlagKeyPath(text: $0) }
    }

    /// The pages that only show something; every other address takes forms, or is none.
    private static let readOnlyPages = [
        "/", "/data", "/history", "/history/at/values.xml", "/history/at/values.json", "/export", "/access", "/events",
        "/help",
    ]

    /// The addresses that only take forms, and show nothing on their own.
    private static let formTargets = [
        "/selected", "/restarted", "/sign-out", "/access/tokens", "/access/tokens/revoke",
        "/access/sessions/revoke",
    ]

    /// Whether an address answers without knowing who asks.
    static func isForEverybody(_ path: String) -> Bool {
        path == "/sign-in" || path == "/healthz"
    }

    /// Whether an address is for programs, which no page helps.
    static func isForPrograms(_ path: String) -> Bool {
        ["/api/", "/ofrep/", "/metrics", "/events"].contains { path.utf8.starts(with: $0.utf8) }
    }

    /// Whether an address is that of one flag for machines.
    static func isAPIFlag(_ path: String) -> Bool { path.utf8.starts(with: apiFlagPrefix.utf8) }

    /// Whether values are imported there.
    static func isImport(_ path: String) -> Bool { path == PageLink.importing }

    /// Whether an address is that of a definition, or of a new one.
    static func isDefinition(_ path: String) -> Bool {
        path == "/definitions" || path.utf8.starts(with: definitionPrefix.utf8)
    }

    /// Whether an address takes forms about flags, which may be sent again by whoever has signed in anew.
    static func isAboutFlags(_ path: String) -> Bool {
        let pages = ["/flags", "/import", "/selected", "/batch", "/compare", "/history/at", "/restarted"]
        return pages.contains(path) || path.utf8.starts(with: flagPrefix.utf8) || isDefinition(path) || isRevert(path)
    }

    /// The page that leads to a form, where the form's own address shows nothing.
    static func page(ofForm address: String) -> String {
        let path = String(address.prefix { $0 != "?" })
        if isRevert(path) { return String(path.dropLast("/revert".count)) }
        return formTargets.contains(path) ? PageLink.flags : address
    }

    /// Whether a page may hold what nobody else may ever learn: a new token, or what somebody signs in with.
    static func mayShowSecrets(_ path: String) -> Bool {
        ["/sign-in", "/access"].contains { path.utf8.starts(with: $0.utf8) }
    }

    /// The methods that an address takes.
    static func methods(of path: String) -> [HTTPRequest.Method] {
        if formTargets.contains(path) || isRevert(path) { return [.post] }
        if isAPIFlag(path) { return [.get, .head, .put, .delete] }
        if path == "/api/v1/batches" || path == "/api/v1/restarted" { return [.post] }
        if path.utf8.starts(with: apiPrefix.utf8) { return [.get, .head] }
        let isReadOnly = readOnlyPages.contains(path) || path.utf8.starts(with: "/export/".utf8)
        return isReadOnly ? [.get, .head] : [.get, .head, .post]
    }

    /// Whether an address takes the form that reverts a change.
    private static func isRevert(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 4 && parts[1].elementsEqual("history".utf8) && parts[3].elementsEqual("revert".utf8)
    }
}
