import DurableFiles
import Flagboard
import Foundation
import Logging
import Synchronization

enum Browser {
    /// The opened page, which is removed when the process ends.
    private static let file = Mutex<BrowserFile?>(nil)

    /// Does nothing without a screen and a person at the terminal.
    ///
    /// - Parameter link: A sign-in link to open instead, hidden from other users of the machine.
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
            logger.warning("can't open the browser: \(error.localizedDescription)")
        }
    }

    static func forget() {
        file.withLock { $0 = nil }
    }
}

/// A page that leads the browser to the sign-in link.
///
/// Every user of the machine can see a program's arguments, so the link isn't one. No other user can read the file.
final class BrowserFile: Sendable {
    let address: String
    private let folder: TemporaryFolder

    /// - Parameter link: ASCII without quotation marks or `&`.
    init(_ link: String) throws {
        folder = try TemporaryFolder()
        let url = folder.url.appending(path: "sign-in.html")
        address = url.absoluteString
        let page = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Flagboard</title>\
            <meta http-equiv="refresh" content="0; url=\(link)"><p><a href="\(link)">Sign in</a></p></html>

            """
        try OpenFile(url, for: .creating(mode: 0o600)).write(Data(page.utf8))
    }
}

/// The sign-in link, printed each time that the server makes one.
final class SignInLink: Sendable {
    private let printsJSON: Bool
    private let address = Mutex("")

    init(printsJSON: Bool) {
        self.printsJSON = printsJSON
    }

    /// Returns the first link, once the address is known.
    func first(_ token: String, at address: String) -> String {
        self.address.withLock { $0 = address }
        return link(token)
    }

    func announce(_ token: String) throws {
        try CommandOutput.print(printsJSON ? "{\"signIn\":\"\(link(token))\"}" : Self.line(link(token)))
    }

    static func line(_ link: String) -> String { "Sign in: \(link)" }

    private func link(_ token: String) -> String {
        address.withLock { LaunchToken.link(token, at: $0) }
    }
}
