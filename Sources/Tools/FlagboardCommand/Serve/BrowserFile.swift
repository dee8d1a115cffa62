import DurableFiles
import Foundation

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
