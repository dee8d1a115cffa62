import FlagChanges
import Flagboard
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// The dashboard as a process: opens the files, serves until it is told to stop.
struct DashboardProcess {
    let settings: ServeSettings

    /// - Throws: ``StartFailure`` where the files can't be served or the port can't be bound.
    func run() async throws {
        do {
            try await PortCheck.run(host: settings.host, port: settings.port)
            try await serve()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw StartFailure(
                "port \(settings.port) on \(settings.host) is in use by another program.\n"
                    + "End that program, or choose another port: --port 0 picks a free one.")
        } catch let error as IOError {
            throw StartFailure(
                "can't listen on \(settings.host), port \(settings.port): \(String(cString: strerror(error.errnoCode))).\n"
                    + "Choose another port with --port.")
        }
    }

    private func serve() async throws {
        let logger = Self.logger()
        let resources = try Resources.locate()
        let service = try openService(logger)
        // Nobody signs in while access is open: whoever reaches the dashboard is who started it, and may do everything.
        let person = Dashboard.Person(name: NSUserName(), role: .admin)
        let dashboard = try Dashboard(
            service: service, resources: resources, person: person, hosts: HostAllowList())
        let application = dashboard.application(host: settings.host, port: settings.port, logger: logger) { port in
            await announce(port, service, logger)
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [OutsideWatch(service: service), application], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger))
        try await group.run()
    }

    private static func logger() -> Logger {
        var logger = Logger(label: "flagboard") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return logger
    }

    private func openService(_ logger: Logger) throws -> ChangeService {
        let options = ChangeService.Options(
            isReadOnly: settings.isReadOnly, showsInternal: settings.showsInternal,
            log: { logger.warning("\($0)") })
        do {
            return try ChangeService(files: settings.files, options: options)
        } catch {
            throw StartFailure(error.description)
        }
    }

    private func announce(_ port: Int, _ service: ChangeService, _ logger: Logger) async {
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        let address = "http://\(host):\(port)/"
        do {
            try await service.announce(address)
        } catch {
            logger.warning("\(error.description)")
        }
        let line =
            settings.printsJSON
            ? "{\"listening\":\"\(address)\",\"process\":\(ProcessInfo.processInfo.processIdentifier)}"
            : "Flagboard is listening on \(address)"
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        if settings.opensBrowser { Browser.open(address, logger) }
    }
}

/// Why the dashboard can't start: what is wrong, and what to do.
struct StartFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
