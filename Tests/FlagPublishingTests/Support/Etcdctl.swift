import Foundation

/// The program that Debian's etcd-client brings.
enum Etcdctl {
    static func run(_ etcd: EtcdServer, _ arguments: String...) async throws {
        let process = Process()
        let said = Pipe()
        process.executableURL = try Program.etcdctl.found()
        process.arguments = ["--endpoints", "http://127.0.0.1:\(etcd.port)"] + arguments
        process.environment = ["ETCDCTL_API": "3"]
        process.standardOutput = said
        process.standardError = said
        try process.run()
        let text = try said.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw EtcdServer.Failure(description: "etcdctl \(arguments): \(String(decoding: text, as: UTF8.self))")
        }
    }
}
