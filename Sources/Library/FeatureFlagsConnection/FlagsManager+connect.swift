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
    /// The dashboard must run on the same machine, as the same user. It shows the values of all providers, can change
    /// the writable ones by the same rules as files, and records each change in its history. Internal flags are not
    /// sent.
    ///
    /// - Parameters:
    ///   - file: The values file that the dashboard serves; `nil` for that of the first `LocalProvider`.
    ///   - name: The name to show; `nil` for the program's.
    ///   - inReleaseBuilds: `true` to connect release builds too; otherwise nothing happens in them.
    /// - Returns: The connection, after the first attempt. It lasts until ``DashboardConnection/disconnect()``, even if
    ///   you don't keep it, and is restored when the dashboard restarts.
    /// - Throws: ``ConnectionError`` if there is no file by which to find the dashboard.
    @discardableResult
    public func connect(
        file: URL? = nil, named name: String? = nil, inReleaseBuilds: Bool = false
    ) async throws(ConnectionError) -> DashboardConnection {
        try await DashboardConnection.open(self, file, name, inReleaseBuilds: inReleaseBuilds)
    }
}

extension DashboardConnection {
    /// Connects an app whose loaders have no manager, for all of their flags.
    ///
    /// See ``FeatureFlags/FlagsManager/connect(file:named:inReleaseBuilds:)``.
    ///
    /// ```swift
    /// let shop = FlagsLoader(ShopFlags.self, providers: [InMemoryProvider(), local])
    /// let delivery = FlagsLoader(DeliveryFlags.self, providers: [local])
    /// try await DashboardConnection.connect(loaders: [shop, delivery])
    /// ```
    ///
    /// The dashboard shows providers of one name as one. Each flag's value there is that of its own loader's provider.
    ///
    /// - Parameters:
    ///   - loaders: The loaders, in the order in which their providers and flags are shown.
    ///   - file: The values file that the dashboard serves; `nil` for that of the first `LocalProvider`.
    ///   - name: The name to show; `nil` for the program's.
    ///   - inReleaseBuilds: `true` to connect release builds too.
    /// - Returns: The connection, after the first attempt.
    /// - Throws: ``ConnectionError`` if there is no file by which to find the dashboard.
    @discardableResult
    public static func connect(
        loaders: [any AnyFlagsLoader], file: URL? = nil, named name: String? = nil, inReleaseBuilds: Bool = false
    ) async throws(ConnectionError) -> DashboardConnection {
        try await open(LoaderFlags(loaders), file, name, inReleaseBuilds: inReleaseBuilds)
    }

    /// `isDebugBuild` and `folder`, where servers register, are other ones in tests alone.
    static func open(
        _ flags: any AppFlags, _ file: URL?, _ name: String?, inReleaseBuilds: Bool,
        isDebugBuild: Bool = isDebugBuild, folder: URL = ServerRegistry.sharedFolder
    ) async throws(ConnectionError) -> DashboardConnection {
        let local = flags.providers.lazy.compactMap { ($0 as? LocalProvider)?.localURL }.first
        guard let file = file ?? local else { throw .noFile }
        let connection = DashboardConnection(
            flags, file: file, name: name ?? ProcessInfo.processInfo.processName, folder: folder)
        if inReleaseBuilds || isDebugBuild {
            await connection.start()
        } else {
            connection.turnOff()
        }
        return connection
    }
}

#if DEBUG
    let isDebugBuild = true
#else
    let isDebugBuild = false
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
