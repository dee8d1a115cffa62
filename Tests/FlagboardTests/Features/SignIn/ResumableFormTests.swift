import Testing

@testable import Flagboard

@Suite("A form that waits for its sender to sign in")
struct UnsentFormTests {
    @Test(
        "It says what it asks for, from what was sent alone",
        arguments: [
            ("/flags/checkout/fee", "action=set&value=1", "It sets checkout/fee."),
            ("/flags/a~1b/c%20d", "action=on", "It turns a~1b/c d on."),
            ("/flags?key=.", "action=reset", "It resets .."),
            ("/flags/a", "action=unlock", "It unlocks a."),
            ("/definitions/new", "action=save&key=a", "It creates a flag."),
            ("/definitions/a/b", "action=delete&confirmation=a/b", "It deletes a/b."),
            ("/definitions?key=new", "action=save", "It changes the definition of new."),
            ("/selected", "action=on&key=a&key=b", "It previews a change to 2 flags."),
            ("/selected", "action=on&extent=all", "It previews a change to all flags in a list."),
            ("/batch", "changes=[]", "It applies the previewed changes."),
            ("/history/12/revert", "scope=batch", "It reverts a change."),
        ])
    func says(address: String, body: String, wish: String) throws {
        #expect(try #require(ResumableForm(to: address, body: body)).wish == wish)
    }

    @Test(
        "What is sent elsewhere, and what is no form, is not kept",
        arguments: [
            ("/sign-in", "token=x"), ("/access/tokens", "name=x"), ("//evil.example/flags", "a=b"), ("/flags/a", ""),
            ("/flags/a", "%zz=1"),
        ])
    func keepsNothingElse(address: String, body: String) {
        #expect(ResumableForm(to: address, body: body) == nil)
    }
}
