import Foundation
import Logging
import Synchronization

/// The person's own browser.
enum Browser {
    /// The page that was opened, which is removed when the process ends.
    private static let file = Mutex<BrowserFile?>(nil)

    /// Opens an address where there is a screen and a person at the terminal; says nothing where there is none.
    ///
    /// - Parameter link: The sign-in link to open instead, which no other user of the machine gets to see.
    static func open(_ address: String, _ link: String?, _ logger: Logger) {
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
        do {
            let page = try link.map(BrowserFile.init)
            file.withLock { $0 = page }
            process.arguments = [page?.address ?? address]
            try process.run()
        } catch {
            logger.warning("the browser could not be opened: \(error.localizedDescription)")
        }
    }

    /// Removes what was written for the browser.
    static func forget() {
        file.withLock { $0 = nil }
    }
}
