import DurableFiles
import Flagboard
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

/// A page for the person's browser to open that leads to the sign-in link.
///
/// Every user of the machine can see what a program is started with, so the link is not given to the browser itself. No
/// other user can read the file.
final class BrowserFile: Sendable {
    /// The page, as the browser takes it.
    let address: String
    private let folder: TemporaryFolder

    /// Writes the page.
    ///
    /// - Parameter link: The sign-in link: ASCII without quotation marks or `&`.
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

/// The sign-in link, printed by the server alone, on its standard output, each time that it makes one.
final class SignInLink: Sendable {
    private let printsJSON: Bool
    private let address = Mutex("")

    init(printsJSON: Bool) {
        self.printsJSON = printsJSON
    }

    /// The link that holds a token, once it is known where the server listens.
    func first(_ token: String, at address: String) -> String {
        self.address.withLock { $0 = address }
        return link(token)
    }

    /// Prints the link that takes the place of the one before.
    func announce(_ token: String) throws {
        try CommandOutput.print(printsJSON ? "{\"signIn\":\"\(link(token))\"}" : Self.line(link(token)))
    }

    static func line(_ link: String) -> String { "Sign in: \(link)" }

    private func link(_ token: String) -> String {
        address.withLock { LaunchToken.link(token, at: $0) }
    }
}
