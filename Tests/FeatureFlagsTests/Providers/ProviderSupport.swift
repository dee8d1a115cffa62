import FeatureFlags
import Foundation
import Testing

/// A key path of components.
func keyPath(_ components: String...) -> FlagKeyPath { FlagKeyPath(components: components) }

/// A suite of `UserDefaults` that no other test uses, whose file is removed with it.
final class TemporarySuite: Sendable {
    let name = "flagboard-test-\(UUID().uuidString)"

    var defaults: UserDefaults {
        get throws { try #require(UserDefaults(suiteName: name)) }
    }

    /// Where Foundation keeps the suite on Linux.
    var file: URL {
        let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] ?? NSHomeDirectory() + "/.config"
        return URL(fileURLWithPath: folder).appendingPathComponent("\(name).plist")
    }

    deinit {
        // What is not saved yet would be written later on.
        UserDefaults.standard.removePersistentDomain(forName: name)
        if FileManager.default.fileExists(atPath: file.path) {
            do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
        }
    }
}

/// A type for flags of JSON.
struct PageLayout: Codable, Hashable, FlagProtocol {
    var columns: [Int?]
    var title: String?
}

enum StartMode: String, CaseIterable, FlagProtocol { case never, atLaunch }
