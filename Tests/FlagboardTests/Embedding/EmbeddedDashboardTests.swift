import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("The dashboard in an app")
struct EmbeddedDashboardTests {
    private static let path = EmbeddedFixture.path

    @Test("The app's own pages stay, and its middlewares apply to the dashboard too")
    func beside() async throws {
        let app = try await EmbeddedFixture()
        #expect(try await app.ask("/", as: nil).body == "the app's own page")
        #expect(try await app.ask("/staff", as: nil).body == "the staff's page")
        let list = try await app.ask("\(Self.path)/")
        #expect(list.status == 200 && list.headers[.server] == "the app")
        #expect(list.headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
    }

    @Test("Each address of a page is below the path")
    func addresses() async throws {
        let app = try await EmbeddedFixture()
        for page in [
            "/", "/flags/quick_checkout", "/history", "/compare", "/import", "/export", "/history/at", "/help",
            "/nothing",
        ] {
            let body = try await app.ask(Self.path + page).body
            let addresses = body.matches(of: /(?:href|action|src|data-to-[a-z-]+)="([^"]*)"/).map { String($0.1) }
            #expect(addresses.count > 10, "\(page)")
            let strays = addresses.filter { !$0.hasPrefix("\(Self.path)/") && !$0.hasPrefix("#") }
            #expect(strays == [], "\(page)")
        }
    }

    @Test("Without its last slash, the path leads to the list")
    func slash() async throws {
        let app = try await EmbeddedFixture()
        let answer = try await app.ask("\(Self.path)?q=quick")
        #expect(answer.status == 303 && answer.headers[.location] == "\(Self.path)/?q=quick")
        #expect(try await app.ask(.post, Self.path, body: "a=b").status == 404)
    }

    @Test("A change by a form is in force in the app when it is answered, and leads back below the path")
    func form() async throws {
        let app = try await EmbeddedFixture()
        let flag = "\(Self.path)/flags/quick_checkout"
        let revision = try #require(try await app.ask(flag).field("revision"))
        let answer = try await app.ask(
            .post, flag, body: "action=set&value=true&provider=Local&revision=\(revision)&reason=why")
        #expect(answer.status == 303)
        #expect(answer.headers[.location]?.hasPrefix("\(flag)?saved=") == true)
        let local = try #require(app.manager.providers.first { $0.name == "Local" })
        #expect(try local.value(of: Bool.self, at: app.flags.$quickCheckout.keyPath) == true)
        let row = try #require(try app.embedded.service.history.page(.init()).records.first)
        #expect(row.event.actor == "ada" && row.event.reason == "why" && row.event.origin == .form)
    }

    @Test("A change by the app's code shows, from the file and from memory, with the source that wins")
    func code() async throws {
        let app = try await EmbeddedFixture(environment: ["APP_DELIVERY_FEE": "7.5"])
        func read() async throws -> [String] {
            let body = try await app.ask("\(Self.path)/api/v1/flags/delivery_fee").body
            let match = try #require(body.firstMatch(of: /"source":"([^"]*)".*,"value":([0-9.]+)/))
            return [String(match.1), String(match.2)]
        }
        #expect(try await read() == ["Environment", "7.5"])
        try app.flags.$deliveryFee.set(2.5, in: "Local")
        #expect(try await read() == ["Local", "2.5"])
        try app.flags.$deliveryFee.set(0.5, in: "Sale")
        #expect(try await read() == ["Sale", "0.5"])
        try app.flags.$deliveryFee.set(nil, in: "Sale")
        #expect(try await read() == ["Local", "2.5"])
        let row = try #require(try app.embedded.service.history.page(.init()).records.first)
        #expect(row.event.origin == .external && row.event.key.text == "delivery_fee")
    }

    @Test("What a provider of the app holds that is no value of the flag is told, not passed over")
    func broken() async throws {
        let app = try await EmbeddedFixture(environment: ["APP_DELIVERY_FEE": "dear"])
        let body = try await app.ask("\(Self.path)/flags/delivery_fee").body
        #expect(body.contains("APP_DELIVERY_FEE"))
    }

    @Test("A value in the app's memory is changed from the page, is in the history, and is undone")
    func memory() async throws {
        let app = try await EmbeddedFixture()
        let flag = "\(Self.path)/flags/delivery_fee"
        let revision = try #require(try await app.ask("\(flag)?provider=Sale").field("revision"))
        let answer = try await app.ask(
            .post, flag, body: "action=set&value=1.5&provider=Sale&revision=\(revision)&reason=why")
        #expect(answer.status == 303)
        #expect(app.flags.deliveryFee == 1.5)
        let row = try #require(try app.embedded.service.history.page(.init()).records.first)
        #expect(row.event.provider == "Sale" && row.event.actor == "ada" && row.event.after == .double(1.5))
        #expect(try await app.ask(.post, "\(Self.path)/history/\(row.id)/revert", body: "confirm=yes").status == 303)
        #expect(try app.sale.storedValue(at: app.flags.$deliveryFee.keyPath) == nil)
    }

    @Test("A value that the flag's type can't use is refused by the app's memory too, and the former one stays")
    func unusable() async throws {
        let app = try await EmbeddedFixture()
        let key = app.flags.$deliveryFee.keyPath
        try app.flags.$deliveryFee.set(2, in: "Sale")
        #expect(throws: FlagValueError.self) {
            try app.manager.setStoredValues([(key, .string("dear"))], in: app.sale)
        }
        #expect(app.flags.deliveryFee == 2)
    }

    @Test("The form changes the file unless it is asked for the app's memory")
    func usual() async throws {
        let app = try await EmbeddedFixture()
        #expect(try await app.ask("\(Self.path)/flags/delivery_fee").field("provider") == "Local")
    }

    @Test("Providers that the app only reads can't be changed from the page")
    func readOnly() async throws {
        let app = try await EmbeddedFixture()
        let answer = try await app.ask(
            .post, "\(Self.path)/flags/delivery_fee", body: "action=set&value=1&provider=Environment&revision=x")
        #expect(answer.status == 403 && answer.body.contains("read-only"))
    }

    @Test("Every page is whole with providers of the app, also that of the past")
    func pages() async throws {
        let app = try await EmbeddedFixture(environment: ["APP_DELIVERY_FEE": "7.5"])
        try app.flags.$quickCheckout.set(true, in: "Local")
        try app.flags.$retries.set(5, in: "Sale")
        let past = try await app.ask("\(Self.path)/history/at?time=2026-01-01T00:00:00Z")
        #expect(past.status == 200)
        for page in [
            "/export", "/compare?left=Sale&right=Environment", "/export/flags.xml?of=Local", "/export/effective.xml",
        ] {
            #expect(try await app.ask(Self.path + page).status == 200, "\(page)")
        }
        #expect(!(try await app.ask("\(Self.path)/export")).body.contains("of=Sale"))
    }

    @Test("Definitions come from the code and stay as it says, whoever asks")
    func definitions() async throws {
        let app = try await EmbeddedFixture()
        let manifest = try FlagManifest(source: try Data(contentsOf: app.manifest))
        #expect(manifest.definition(of: app.flags.$retries.keyPath)?.metadata.isLocked == true)
        let page = try await app.ask("\(Self.path)/flags/quick_checkout").body
        #expect(!page.contains("/definitions/"))
        #expect(!(try await app.ask("\(Self.path)/")).body.contains("/definitions/"))
        for address in ["/definitions/new", "/definitions/quick_checkout"] {
            let answer = try await app.ask(Self.path + address)
            #expect(answer.status == 403 && answer.body.contains("app’s code"), "\(address)")
        }
        let before = try Data(contentsOf: app.manifest)
        for form in [
            "action=delete&confirm=yes", "action=rename&to=other", "action=retire&reason=old",
            "action=save&type=int&name=X",
        ] {
            let answer = try await app.ask(.post, "\(Self.path)/definitions/quick_checkout", body: form)
            #expect((400..<500).contains(answer.status), "\(form)")
        }
        let admin = ChangeAuthor(name: "ada", role: .admin, origin: .code)
        for action in [
            Change.Action.tag("new", isSet: true), .retire("old"), .remove(withValues: false),
            .rename(Samples.key("other")),
        ] {
            let change = Change(key: app.flags.$quickCheckout.keyPath, action: action)
            await #expect(throws: ChangeError.self) { try await app.embedded.service.apply(change, by: admin) }
        }
        #expect(try Data(contentsOf: app.manifest) == before)
    }

    @Test("An admin locks and unlocks flags, and a lock stays when the app starts again")
    func locks() async throws {
        let app = try await EmbeddedFixture()
        let flag = "\(Self.path)/flags/quick_checkout"
        let revision = try #require(try await app.ask(flag).field("revision"))
        let answer = try await app.ask(.post, flag, body: "action=lock&revision=\(revision)")
        #expect(answer.status == 303)
        try app.manager.writeManifest(to: app.manifest)
        #expect(try await app.ask("\(Self.path)/api/v1/flags/quick_checkout").body.contains("\"isLocked\":true"))
    }

    @Test("Internal flags don't exist, and locked ones can't be changed")
    func rules() async throws {
        let app = try await EmbeddedFixture()
        #expect(try await app.ask("\(Self.path)/flags/secret").status == 404)
        let locked = try await app.ask(
            .put, "\(Self.path)/api/v1/flags/retries", [.contentType: "application/json", .ifMatch: "*"],
            body: "{\"value\":5}")
        #expect(locked.status == 423)
    }

    @Test("A client of OpenFeature is told to listen below the path")
    func ofrep() async throws {
        let app = try await EmbeddedFixture()
        let answer = try await app.ask(.post, "\(Self.path)/ofrep/v1/evaluate/flags", body: "{}")
        #expect(answer.status == 200)
        #expect(answer.body.contains("\"requestUri\":\"\(Self.path)/ofrep/v1/events\""))
    }

    @Test("A manager without a file that can be changed is refused, and so are two providers of one name")
    func managers() async throws {
        let memory = FlagsManager(providers: [InMemoryProvider()])
        await #expect(throws: EmbeddingError.noFile) {
            try await EmbeddedDashboard(of: memory, at: "/flags", hosts: HostAllowList())
        }
        let twice = FlagsManager(providers: [InMemoryProvider(name: "A"), InMemoryProvider(name: "A")])
        await #expect(throws: EmbeddingError.sameName("A")) {
            try await EmbeddedDashboard(of: twice, at: "/flags", hosts: HostAllowList())
        }
    }

    @Test("A folder without pages is refused before any file is made")
    func withoutPages() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "no-pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let manager = FlagsManager(providers: [LocalProvider(localURL: folder.appending(path: "flags.xml"))])
        var options = EmbeddedDashboard.Options()
        options.resources = folder
        await #expect(throws: TemplateError.self) {
            try await EmbeddedDashboard(of: manager, at: "/flags", hosts: HostAllowList(), options: options)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("The log of an app's services has the dashboard's name, and not all that it holds")
    func description() async throws {
        #expect(try await "\(EmbeddedFixture().embedded)" == "Flagboard")
    }
}
