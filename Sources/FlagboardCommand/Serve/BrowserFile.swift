import Foundation

/// A page for the person's browser to open that leads to the sign-in link.
///
/// Every user of the machine can see what a program is started with, so the link is not given to the browser itself. Nobody
/// else can read the file.
final class BrowserFile: Sendable {
    /// The page, as the browser takes it.
    let address: String
    private let path: String

    /// Writes the page.
    ///
    /// - Parameter link: The sign-in link: ASCII without quotation marks or `&`.
    /// - Throws: Where there is no place to write it to.
    init(_ link: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "flagboard-\(UUID().uuidString).html")
        path = file.path(percentEncoded: false)
        address = file.absoluteString
        let page = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Flagboard</title>\
            <meta http-equiv="refresh" content="0; url=\(link)"><p><a href="\(link)">Sign in</a></p></html>

            """
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(page.utf8))
    }

    deinit {
        unlink(path)
    }
}
