import FeatureFlags
import FeatureFlagsRemote
import Foundation

struct ReaderFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Whether to greet")
    var greets: Bool
}

/// Prints how a flag of the server that is named comes about.
guard CommandLine.arguments.count == 3 else {
    print("usage: Reader ADDRESS CACHE")
    exit(64)
}
let remote = try RemoteProvider(
    CommandLine.arguments[1], cache: URL(fileURLWithPath: CommandLine.arguments[2]))
let flags = FlagsLoader(ReaderFlags.self, providers: [remote])
await remote.setUp(timeout: .seconds(10))
print(flags.$greets.explain())
await remote.tearDown()
