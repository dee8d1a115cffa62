import Foundation
import Logging

/// The person's own browser.
enum Browser {
    /// Opens an address where there is a screen and somebody at the terminal; says nothing where there is none.
    static func open(_ address: String, _ logger: Logger) {
        #if os(macOS)
            let opener = "/usr/bin/open"
            let hasScreen = true
        #else
            let opener = "/usr/bin/xdg-open"
            let environment = ProcessInfo.processInfo.environment
            let hasScreen = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        #endif
        guard hasScreen, isatty(STDOUT_FILENO) == 1, FileManager.default.isExecutableFile(atPath: opener) else {
            return
        }
        let process = Process()
        process.executableURL = URL(filePath: opener)
        process.arguments = [address]
        do {
            try process.run()
        } catch {
            logger.warning("the browser could not be opened: \(error.localizedDescription)")
        }
    }
}
