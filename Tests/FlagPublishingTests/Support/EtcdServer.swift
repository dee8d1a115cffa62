import Foundation
import Synchronization

@testable import FeatureFlagsRemote

/// An etcd of one member in a folder of its own, ended and removed when the test is done with it.
final class EtcdServer: Sendable {
    let folder: URL
    private let ports: Mutex<(client: Int, peer: Int)>
    /// Where it answers.
    var port: Int { ports.withLock(\.client) }
    private var peerPort: Int { ports.withLock(\.peer) }
    private let options: [String]
    private let process = Mutex<Process?>(nil)

    /// Starts one, and waits until it answers.
    init(_ options: [String] = []) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "etcd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        ports = Mutex(try Self.freePorts())
        self.options = options
        try await startSomewhere()
    }

    private func startSomewhere() async throws {
        for _ in 1..<Self.mostAttempts {
            do {
                return try await start()
            } catch is Failure {
                // Another program may have taken a port since.
                let others = try Self.freePorts()
                ports.withLock { $0 = others }
            }
        }
        try await start()
    }

    /// How often other ports are tried.
    private static let mostAttempts = 5

    private static func freePorts() throws -> (client: Int, peer: Int) { try (FreePort.find(), FreePort.find()) }

    deinit {
        kill()
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    private var isEncrypted: Bool { options.contains("--cert-file") }

    func address(_ prefix: String = "/flags") throws -> EtcdAddress {
        try EtcdAddress("\(isEncrypted ? "etcds" : "etcd")://127.0.0.1:\(port)\(prefix)")
    }

    /// Starts it again with the data that it had.
    func start() async throws {
        let scheme = isEncrypted ? "https" : "http"
        let process = Process()
        let said = Pipe()
        process.executableURL = try Program.etcd.found()
        process.arguments =
            [
                "--data-dir", folder.appending(path: "data").path, "--listen-client-urls",
                "\(scheme)://127.0.0.1:\(port)", "--advertise-client-urls", "\(scheme)://127.0.0.1:\(port)",
                "--listen-peer-urls", "http://127.0.0.1:\(peerPort)", "--initial-advertise-peer-urls",
                "http://127.0.0.1:\(peerPort)", "--initial-cluster", "default=http://127.0.0.1:\(peerPort)", "--logger",
                "zap", "--log-outputs", "stderr",
            ] + options
        process.standardError = said
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process.withLock { $0 = process }
        let lines = AsyncStream<String> { continuation in
            said.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if data.isEmpty {
                    handle.readabilityHandler = nil
                    continuation.finish()
                } else {
                    continuation.yield(String(decoding: data, as: UTF8.self))
                }
            }
        }
        var text = ""
        for await line in lines {
            text += line
            if text.contains("serving client traffic") || text.contains("serving insecure client requests") { return }
        }
        throw Failure(description: "etcd does not start: \(text.suffix(2000))")
    }

    /// Ends it at once.
    func kill() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Has it stand still, or go on.
    func stand(_ isStill: Bool) {
        process.withLock { process in
            guard let process else { return }
            Foundation.kill(process.processIdentifier, isStill ? SIGSTOP : SIGCONT)
        }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }
}

/// A program that `script/setup --tests` brings.
enum Program: String {
    case etcd, etcdctl

    /// Whether the tests can start it.
    var isThere: Bool { url != nil }

    func found() throws -> URL {
        guard let url else {
            throw EtcdServer.Failure(description: "there is no \(rawValue); run script/setup --tests")
        }
        return url
    }

    private var url: URL? {
        let tools = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build-tools")
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
            URL(filePath: String($0))
        }
        return (folders + [tools]).map { $0.appending(path: rawValue) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

/// A port that no program listens at.
enum FreePort {
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(descriptor, pointer, length) == 0 else { return Int32(-1) }
                return getsockname(descriptor, pointer, &length)
            }
        }
        guard result == 0 else { throw EtcdServer.Failure(description: "no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
