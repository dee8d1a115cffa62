import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import Synchronization

/// An HTTP client with its own connections, opened by the first request and closed by ``close()``.
package final class RemoteClient: Sendable {
    private static let maximumRedirections = 5

    private let trust: RemoteTrust
    private let credential: RemoteCredential?
    private let origin: String
    private let timeout: Duration
    private let connecting: Duration
    private let silence: Duration?
    private let maximumSize: Int
    private let http = Mutex<HTTPClient?>(nil)

    /// Sends the credential only to `origin`.
    ///
    /// `timeout` limits an answer, `connecting` a connection, and `silence` the time without data; `nil` means
    /// `timeout`. `maximumSize` is in bytes.
    package init(
        trust: RemoteTrust, credential: RemoteCredential?, for origin: String, timeout: Duration,
        connecting: Duration? = nil, silence: Duration? = nil, maximumSize: Int
    ) {
        self.trust = trust
        self.credential = credential
        self.origin = origin
        self.timeout = timeout
        self.connecting = connecting ?? timeout
        self.silence = silence
        self.maximumSize = maximumSize
    }

    deinit {
        // It lives on until its connections are closed.
        http.withLock { $0 }?.shutdown().whenComplete { _ in }
    }

    /// Closes the connections and cancels their requests; a further request opens new ones.
    package func close() async {
        let open = http.withLock { http in
            defer { http = nil }
            return http
        }
        guard let open else { return }
        // Nothing is left to do if it was closed already.
        do { try await open.shutdown() } catch {}
    }

    /// Sends a request, and returns `nil` if the answer still has the known `ETag`.
    package func ask(_ request: RemoteRequest, knowing version: String?) async throws(RemoteError) -> RemoteAnswer? {
        let deadline = NIODeadline.now() + TimeAmount(timeout)
        // A server may close a connection just as it is reused; the request changes nothing, so it is safe to repeat.
        for isLast in [false, true] {
            do {
                return try await ask(request, knowing: version, deadline)
            } catch let error as RemoteError {
                throw error
            } catch {
                if !isLast, RemoteFailure.isLostConnection(error), !Task.isCancelled { continue }
                throw RemoteFailure.error(error, request.address, timeout)
            }
        }
        throw .stopped
    }

    /// Opens a stream of events, after the last known event unless `lastEventID` is empty.
    package func stream(_ address: RemoteAddress, after lastEventID: String) async throws(RemoteError)
        -> HTTPClientResponse.Body
    {
        do {
            var headers = HTTPHeaders([("Accept", "text/event-stream"), ("Cache-Control", "no-store")])
            // A header can't contain control characters.
            if !lastEventID.isEmpty, lastEventID.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
                headers.add(name: "Last-Event-ID", value: lastEventID)
            }
            let request = RemoteRequest(address: address, accepted: "")
            let response = try await send(request, headers, deadline: .distantFuture)
            guard response.status == .ok else { throw refusal(response, address) }
            let type = response.headers.mediaType ?? "an unknown content type"
            guard type == "text/event-stream" else {
                throw RemoteError.unusable(address, "is not an event stream but \(type); check the address")
            }
            return response.body
        } catch let error as RemoteError {
            throw error
        } catch {
            throw RemoteFailure.error(error, address, timeout)
        }
    }

    private func ask(
        _ request: RemoteRequest, knowing version: String?, _ deadline: NIODeadline
    ) async throws -> RemoteAnswer? {
        var headers = HTTPHeaders([("Accept", request.accepted), ("Accept-Encoding", "gzip")])
        if let version { headers.add(name: "If-None-Match", value: version) }
        let response = try await send(request, headers, deadline: deadline)
        switch response.status {
        case .notModified where version != nil: return nil
        case .ok: break
        default: throw refusal(response, request.address)
        }
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: maximumSize, before: deadline)
        } catch let error where RemoteFailure.isOfSize(error) {
            throw RemoteError.unusable(
                request.address,
                "sends more than the limit of \(maximumSize) bytes; increase the limit, or serve "
                    + "fewer flags")
        }
        return RemoteAnswer(
            body: Data(body.readableBytesView), version: response.headers.first(name: "ETag"),
            mediaType: response.headers.mediaType)
    }

    private func send(
        _ request: RemoteRequest, _ headers: HTTPHeaders, deadline: NIODeadline
    ) async throws -> HTTPClientResponse {
        var address = request.address
        for _ in 0...Self.maximumRedirections {
            var sent = HTTPClientRequest(url: address.url.absoluteString)
            sent.headers = headers
            sent.headers.add(name: "User-Agent", value: "Flagboard")
            if let credential, address.origin == origin {
                sent.headers.add(name: "Authorization", value: try await credential.field())
            }
            if let content = request.content {
                sent.method = .POST
                sent.headers.add(name: "Content-Type", value: "application/json")
                sent.body = .bytes(ByteBuffer(bytes: content))
            }
            let response = try await opened().execute(sent, deadline: deadline)
            guard let next = try redirection(of: response, to: request, from: address) else { return response }
            address = next
        }
        throw RemoteError.unusable(
            request.address, "redirects more than \(Self.maximumRedirections) times; check the address")
    }

    private func redirection(
        of response: HTTPClientResponse, to request: RemoteRequest, from address: RemoteAddress
    ) throws(RemoteError) -> RemoteAddress? {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headers.first(name: "Location")
        else { return nil }
        let next = try address.resolving(location)
        guard next.origin == address.origin else {
            throw .unusable(
                address,
                "redirects to a different origin, \(next), which is not followed; use that address if it is correct"
            )
        }
        guard request.content == nil || [307, 308].contains(response.status.code) else {
            throw .unusable(address, "redirects to \(next), which can't be used with POST; check the address")
        }
        return next
    }

    private func refusal(_ response: HTTPClientResponse, _ address: RemoteAddress) -> RemoteError {
        let problem =
            switch response.status.code {
            case 401: "a token is required, or the token is invalid"
            case 403: "the token doesn't allow reading this"
            case 404, 410: "not found; check the address"
            case 429: "too many requests"
            case 500...: "the server has an internal problem"
            default: "no values"
            }
        // The server's date is relative to the server's clock, which may differ from this machine's.
        let now = response.headers.first(name: "Date").flatMap(Backoff.date) ?? Date()
        let askedFor = response.headers.first(name: "Retry-After").flatMap { Backoff.askedFor($0, at: now) }
        return .refused(address, status: Int(response.status.code), problem, askedFor: askedFor)
    }

    private func opened() -> HTTPClient {
        http.withLock { http in
            if let http { return http }
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: trust.tls, redirectConfiguration: .disallow,
                timeout: .init(connect: TimeAmount(connecting), read: silence.map { TimeAmount($0) }),
                decompression: .enabled(limit: .size(maximumSize)))
            // The client retries at its own time.
            configuration.connectionPool.retryConnectionEstablishment = false
            // A timed-out HTTP/1 request ends its connection, instead of leaving a dead one to the next.
            configuration.httpVersion = .http1Only
            let opened = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            http = opened
            return opened
        }
    }
}

extension HTTPHeaders {
    fileprivate var mediaType: String? {
        first(name: "Content-Type").map {
            String($0.prefix { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased()
        }
    }
}
