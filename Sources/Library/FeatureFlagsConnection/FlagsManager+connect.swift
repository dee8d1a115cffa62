import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

extension FlagsManager {
    /// Connects the app to the dashboard that serves its flags, now or as soon as `flagboard serve` runs.
    ///
    /// ```swift
    /// let manager = FlagsManager(providers: [InMemoryProvider(), LocalProvider(localURL: file), UserDefaults.standard])
    /// let flags = manager.addCollection(ShopFlags.self)
    /// try await manager.connect()
    /// ```
    ///
    /// The dashboard must run on the same machine, as the same user. It shows the values of all providers. It can
    /// change the writable ones, by the same rules as files, and records each change in its history. Internal flags are
    /// not sent. In release builds, nothing happens unless `inReleaseBuilds` is `true`.
    ///
    /// - Parameters:
    ///   - file: The values file that the dashboard serves; `nil` for that of the first `LocalProvider`.
    ///   - name: The name to show; `nil` for the program's.
    ///   - inReleaseBuilds: Whether to connect a build that is not for debugging.
    /// - Returns: The connection, after the first attempt. It lasts until ``DashboardConnection/disconnect()``, even if
    ///   you don't keep the result, and is restored when the dashboard restarts.
    /// - Throws: ``ConnectionError`` if there is no file by which to find the dashboard.
    @discardableResult
    public func connect(
        file: URL? = nil, named name: String? = nil, inReleaseBuilds: Bool = false
    ) async throws(ConnectionError) -> DashboardConnection {
        let local = providers.lazy.compactMap { ($0 as? LocalProvider)?.localURL }.first
        guard let file = file ?? local else { throw .noFile }
        let connection = DashboardConnection(self, file: file, name: name ?? ProcessInfo.processInfo.processName)
        if inReleaseBuilds || isDebugBuild {
            await connection.start()
        } else {
            connection.turnOff()
        }
        return connection
    }
}

#if DEBUG
    private let isDebugBuild = true
#else
    private let isDebugBuild = false
#endif

/// The reason why an app can't look for a dashboard.
///
/// ```swift
/// do { try await manager.connect() } catch {
///     print(error)  // No provider has a values file, by which a dashboard is found. Name one: connect(file:).
/// }
/// ```
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause and the remedy.
    public let description: String

    static let noFile = ConnectionError(
        description: "No provider has a values file for finding a dashboard. Specify one: connect(file:).")
}
