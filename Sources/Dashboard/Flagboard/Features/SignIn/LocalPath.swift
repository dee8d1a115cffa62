/// An address within the dashboard, to go to after a sign-in.
enum LocalPath {
    /// How long one may be, in bytes.
    private static let longest = 2048

    /// What a request asks to go to where that is within the dashboard, else the list of flags.
    ///
    /// Browsers take `//` and `/\` for the start of another host's address, and drop tabs and line ends before they look.
    static func checked(_ text: String?) -> String {
        guard let text, text.utf8.count <= longest, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.dropFirst().first != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return PageLink.flags }
        let route = Route.reached(by: String(text.prefix { $0 != "?" && $0 != "#" }))
        return route == .signIn || route == .signOut ? PageLink.flags : text
    }
}
