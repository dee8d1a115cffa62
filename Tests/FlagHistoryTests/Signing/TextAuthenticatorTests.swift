import Foundation
import Testing

@testable import FlagHistory

@Suite("Texts that come back")
struct TextAuthenticatorTests {
    private let authenticator = TextAuthenticator()

    @Test("A code is taken for just the texts that it was made of, and by whoever made it alone")
    func takes() {
        let code = authenticator.code(of: "one", "two")
        #expect(code.count == 64)
        #expect(authenticator.isCode(code, of: "one", "two"))
        #expect(!authenticator.isCode(code, of: "onet", "wo"))
        #expect(!authenticator.isCode(code, of: "two", "one"))
        #expect(!authenticator.isCode(code, of: "one", "two", ""))
        #expect(!TextAuthenticator().isCode(code, of: "one", "two"))
    }

    @Test("What is no code is none", arguments: ["", "0", "zz", "é", String(repeating: "0", count: 64)])
    func refuses(text: String) {
        #expect(!authenticator.isCode(text, of: "one"))
        #expect(!authenticator.isCode(String(authenticator.code(of: "one").dropLast(2)), of: "one"))
    }
}
