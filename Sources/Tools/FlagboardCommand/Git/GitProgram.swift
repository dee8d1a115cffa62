import DurableFiles
import Foundation
import Synchronization

/// Runs git in a folder, without a shell.
struct GitProgram {
    struct Outcome {
        /// The exit code, or 128 plus the signal that ended it.
        let status: Int32
        let output: Data
        /// Standard error, trimmed.
        let complaint: String
    }

    private let executable: URL
    private let folder: URL

    init(in folder: URL) throws(PlainError) {
        guard let executable = ProgramSearch.find("git") else {
            throw PlainError("Can't find git on the PATH. Install Git, for example with apt install git.")
        }
        try DescriptorLimit.check(toStart: "git")
        self.executable = executable
        self.folder = folder
    }

    func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-C", folder.path(percentEncoded: false), "--no-pager"] + arguments
        process.standardInput = FileHandle.nullDevice
        return process
    }

    func run(_ arguments: [String]) throws -> Outcome {
        let process = process(arguments)
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        // Reads both pipes at once: a full one blocks the program.
        let complaint = Mutex(Result<Data?, any Error>.success(nil))
        let reading = DispatchGroup()
        DispatchQueue.global().async(group: reading) { [reader = complaints.fileHandleForReading] in
            let said = Result { try reader.readToEnd() }
            complaint.withLock { $0 = said }
        }
        let printed = Result { try output.fileHandleForReading.readToEnd() }
        reading.wait()
        process.waitUntilExit()
        let said = try complaint.withLock { try $0.get() } ?? Data()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
            output: try printed.get() ?? Data(),
            complaint: String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Throws the complaint on failure.
    func output(_ arguments: [String]) throws -> Data {
        let outcome = try run(arguments)
        guard outcome.status == 0 else {
            // Settings come before the command.
            let command = zip(arguments, [""] + arguments).first { $0 != "-c" && $1 != "-c" }?.0 ?? ""
            throw PlainError("git \(command) failed: \(outcome.complaint)")
        }
        return outcome.output
    }
}
