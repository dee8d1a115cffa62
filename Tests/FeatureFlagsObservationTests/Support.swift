import FeatureFlags
import FeatureFlagsObservation
import Foundation
import Observation
import Synchronization
import Testing

struct ShopFlags: FlagCollectionProtocol {
    @Flag("Pay in one click") var quickCheckout = false
    @Flag("How often a failed payment is tried again") var retries = 3
    @Flag(description: "A text above the list") var note: String?
    @Flag("A payload without equality") var point = Point(x: 0)
    @FlagCollection(description: "What delivery costs") var delivery: DeliveryFlags

    var retriesQuickly: Bool { quickCheckout && retries > 3 }
}

struct DeliveryFlags: FlagCollectionProtocol {
    @Flag("In euros") var fee = 4.5
    @Flag("Above this, none is charged") var freeAbove = 50.0
}

struct Point: Codable, FlagProtocol {
    var x: Int
}

/// A reading whose observer is notified at most once, as Observation's are.
final class Reading: Sendable {
    private let notices: AsyncStream<Void>
    private let notified = Atomic(false)

    init(_ read: () -> Void) {
        let (notices, continuation) = AsyncStream.makeStream(of: Void.self)
        self.notices = notices
        withObservationTracking(read) { [weak self] in
            self?.notified.store(true, ordering: .releasing)
            continuation.yield()
        }
    }

    var isNotified: Bool { notified.load(ordering: .acquiring) }

    /// Waits for the notice.
    func notice() async { for await _ in notices { return } }
}

extension FlagsProvider {
    /// `nil` also where the provider can't be read.
    func heldValue(at key: FlagKeyPath) -> FlagValue? {
        if case .success(let value) = Result(catching: { try storedValue(at: key) }) { value } else { nil }
    }
}

func path(_ components: String...) -> FlagKeyPath { FlagKeyPath(components: components) }

/// A folder of its own for a test, removed with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "flagboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { _ = Result { try FileManager.default.removeItem(at: url) } }

    var file: URL { url.appending(path: "flags.xml") }
}
