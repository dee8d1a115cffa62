import FeatureFlags
import FeatureFlagsRemote
import Foundation

/// Reads one flag by several readers, and prints each value that one of them sees: for the tests that kill what they read from.
///
///     FlagReader COUNT KEY ADDRESS
///
/// An address of `etcd://` is read by `EtcdProvider`, one of `http://` as a dashboard's evaluations (OFREP) with its events. Each line
/// is a JSON object: the reader's number, nanoseconds of this machine's monotonic clock, the value, and for etcd the history's row.
/// It ends with its standard input. `FLAG_READER_TOKEN` is the token that it shows a dashboard.
///
///     FlagReader declared FILE
///
/// This reads the flags of ``DeclaredFlags`` once.
@main
struct FlagReader {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "declared" { return try readDeclared(in: URL(filePath: arguments[2])) }
        guard arguments.count == 4, let count = Int(arguments[1]), let key = FlagKeyPath(text: arguments[2]) else {
            FileHandle.standardError.write(Data("usage: FlagReader COUNT KEY ADDRESS | declared FILE\n".utf8))
            exit(64)
        }
        let address = arguments[3]
        let ended = Task.detached { while readLine() != nil {} }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let reader = try Reader(number: number, key: key, address: address)
                group.addTask { await reader.run() }
            }
            await ended.value
            group.cancelAll()
        }
    }
}

/// One reader.
struct Reader: Sendable {
    let number: Int
    let key: FlagKeyPath
    let provider: any FlagsProvider
    private let setUp: @Sendable () async -> Void
    private let row: @Sendable () -> Int64?

    init(number: Int, key: FlagKeyPath, address: String) throws {
        self.number = number
        self.key = key
        if address.hasPrefix("etcd") {
            let provider = EtcdProvider(at: try EtcdAddress(address))
            self.provider = provider
            setUp = { await provider.setUp(timeout: .zero) }
            row = { provider.lastRow }
        } else {
            var options = RemoteProvider.Options()
            options.interval = .seconds(5)
            options.backoff = Backoff(first: .milliseconds(250), limit: .seconds(2))
            let token = ProcessInfo.processInfo.environment["FLAG_READER_TOKEN"]
            let provider = try RemoteProvider(
                address, shape: .ofrep, credential: token.map { token in .bearer { token } }, options: options)
            self.provider = provider
            setUp = { await provider.setUp(timeout: .zero) }
            row = { nil }
        }
    }

    func run() async {
        guard let updates = provider.store?.updates else { return }
        tell()
        await setUp()
        tell()
        for await _ in updates { tell() }
        await provider.tearDown()
    }

    private func tell() {
        let value: String
        switch Result(catching: { try provider.storedValue(at: key) }) {
        case .success(let held?): value = FlagJSON.line(held)
        case .success(nil): value = "null"
        case .failure(let error): value = FlagJSON.line(.string("broken: \(error)"))
        }
        let row = row().map { ",\"row\":\($0)" } ?? ""
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let line =
            "{\"reader\":\(number),\"at\":\(time.tv_sec * 1_000_000_000 + time.tv_nsec),\"value\":\(value)\(row)}\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}
