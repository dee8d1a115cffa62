import AsyncHTTPClient
import DurableFiles
import Foundation
import NIOCore
import NIOHTTP1

/// A client of etcd's JSON gateway that tries another member when one does not answer.
package actor EtcdClient {
    /// The limit of an answer in bytes; etcd limits a value to 1.5 MiB by default.
    static let largestAnswer = 64 << 20
    private static let largestRefusal = 1 << 20
    private static let largestPassword = 16_384
    /// The numbers of keys to request at once, smaller after an answer that was too large.
    private static let portions: [Int64] = [2000, 250, 30, 4]

    package nonisolated let address: EtcdAddress
    private let access: EtcdAccess
    private let patience: TimeAmount
    private let patienceInFull: TimeAmount
    private let http: HTTPClient
    private var place = 0
    private var token: String?

    package init(
        _ address: EtcdAddress, _ access: EtcdAccess, patience: Duration = .seconds(3),
        patienceInFull: Duration = .seconds(30)
    ) {
        (self.address, self.access) = (address, access)
        (self.patience, self.patienceInFull) = (TimeAmount(patience), TimeAmount(patienceInFull))
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: access.trust.tls, redirectConfiguration: .disallow,
            timeout: .init(connect: self.patience, read: nil))
        configuration.httpVersion = .http1Only
        // The client tries another member instead, or again at its own time.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package func close() async {
        do {
            try await http.shutdown()
        } catch {
            // It is shut down already.
        }
    }

    package var member: EtcdAddress.Member { address.members[place] }

    package func useNextMember() {
        place = (place + 1) % address.members.count
        token = nil
    }

    package struct Content: Sendable {
        package let revision: Int64
        package let cluster: String
        package var values: [String: EtcdHeld]
    }

    package func content(of prefix: String) async throws(EtcdError) -> Content {
        var portions = Self.portions[...]
        let first = try await portion(from: Data(prefix.utf8), of: prefix, &portions)
        var content = Content(
            revision: first.header.revision?.value ?? 0, cluster: first.header.clusterID ?? "", values: [:])
        var answer = first
        while true {
            for pair in answer.pairs ?? [] {
                content.values[String(decoding: pair.key, as: UTF8.self)] = pair.held
            }
            guard answer.hasMore == true, let last = answer.pairs?.last else { return content }
            // The next possible key is the last one with a zero byte appended.
            answer = try await portion(from: last.key + [0], of: prefix, at: content.revision, &portions)
        }
    }

    package func value(of key: String) async throws(EtcdError) -> EtcdHeld? {
        try await range(Data(key.utf8), nil, limit: 1).pairs?.first?.held
    }

    package struct Transaction: Sendable {
        package var guardKey: String
        /// `nil` if the key must not exist.
        package var expected: String?
        /// `nil` removes a key.
        package var changes: [String: String?]

        package init(guardKey: String, expected: String?, changes: [String: String?]) {
            (self.guardKey, self.expected, self.changes) = (guardKey, expected, changes)
        }
    }

    /// Makes a change; returns `nil`, or the compared key's value if the condition fails, empty for a missing key.
    package func make(_ transaction: Transaction) async throws(EtcdError) -> Data? {
        let key = Data(transaction.guardKey.utf8)
        let compare =
            transaction.expected.map {
                EtcdMessages.Compare(key: key, target: "VALUE", value: Data($0.utf8))
            } ?? EtcdMessages.Compare(key: key, target: "VERSION", version: 0)
        let operations = transaction.changes.sorted { $0.key < $1.key }.map { name, value in
            let name = Data(name.utf8)
            return value.map { EtcdMessages.Operation(put: .init(key: name, value: Data($0.utf8))) }
                ?? EtcdMessages.Operation(delete: .init(key: name))
        }
        let question = EtcdMessages.Transaction(
            compare: [compare], success: operations, failure: [.init(range: .init(key: key))])
        let answer: EtcdMessages.TransactionAnswer = try await ask("kv/txn", question)
        guard answer.succeeded != true else { return nil }
        return answer.responses?.first?.range?.pairs?.first?.value ?? Data()
    }

    package func watch(_ prefix: String, from revision: Int64) async throws(EtcdError) -> EtcdWatch {
        let question = EtcdMessages.Watch(
            creation: .init(
                key: Data(prefix.utf8), end: Self.end(of: prefix), start: EtcdMessages.Number(revision)))
        return try await anywhere { (member) throws(EtcdError) in
            let response = try await self.send("watch", question, to: member)
            guard response.status == .ok else { throw try await self.refusal(response, of: member) }
            return EtcdWatch(lines: EtcdLines(response.body), member: member)
        }
    }

    private func portion(
        from key: Data, of prefix: String, at revision: Int64? = nil, _ portions: inout ArraySlice<Int64>
    ) async throws(EtcdError) -> EtcdMessages.RangeAnswer {
        while true {
            do throws(EtcdError) {
                return try await range(key, Self.end(of: prefix), limit: portions.first ?? 1, at: revision)
            } catch {
                guard error.isOfSize, portions.count > 1 else { throw error }
                portions = portions.dropFirst()
            }
        }
    }

    private func range(
        _ key: Data, _ end: Data?, limit: Int64, at revision: Int64? = nil
    ) async throws(EtcdError) -> EtcdMessages.RangeAnswer {
        try await ask(
            "kv/range",
            EtcdMessages.Range(
                key: key, end: end, limit: EtcdMessages.Number(limit),
                revision: revision.map { EtcdMessages.Number($0) }))
    }

    private static func end(of prefix: String) -> Data {
        var bytes = Data(prefix.utf8)
        // Every prefix ends in a slash.
        bytes[bytes.index(before: bytes.endIndex)] += 1
        return bytes
    }
}

extension EtcdClient {
    /// Tries each member until one answers.
    private func anywhere<Answer: Sendable>(
        _ body: (EtcdAddress.Member) async throws(EtcdError) -> Answer
    ) async throws(EtcdError) -> Answer {
        var last: EtcdError?
        for _ in address.members {
            do throws(EtcdError) {
                return try await signedIn(body)
            } catch {
                guard error.isOfMember, !Task.isCancelled else { throw error }
                last = last ?? error
                useNextMember()
            }
        }
        throw last ?? .unreachable(member, "there is none")
    }

    /// Sends a request after signing in, and again if the sign-in has expired.
    private func signedIn<Answer: Sendable>(
        _ body: (EtcdAddress.Member) async throws(EtcdError) -> Answer
    ) async throws(EtcdError) -> Answer {
        if token == nil { token = try await signIn() }
        do throws(EtcdError) {
            return try await body(member)
        } catch {
            guard error.isSignInLost, access.user != nil else { throw error }
            token = try await signIn()
            return try await body(member)
        }
    }

    private func signIn() async throws(EtcdError) -> String? {
        guard let user = access.user else { return nil }
        var password = ""
        if let url = access.password {
            do throws(FileAccessError) {
                let content = try AtomicFile.read(url, maximumSize: Self.largestPassword).data
                password = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .newlines)
            } catch {
                throw .password(url, error.clause)
            }
        }
        let answer: EtcdMessages.SignInAnswer = try await question(
            "auth/authenticate", EtcdMessages.SignIn(name: user, password: password), to: member)
        return answer.token
    }

    private func ask<Answer: Decodable & Sendable>(
        _ path: String, _ question: some Encodable & Sendable
    ) async throws(EtcdError) -> Answer {
        try await anywhere { (member) throws(EtcdError) in try await self.question(path, question, to: member) }
    }

    private func question<Answer: Decodable & Sendable>(
        _ path: String, _ question: some Encodable & Sendable, to member: EtcdAddress.Member
    ) async throws(EtcdError) -> Answer {
        let response = try await send(path, question, to: member)
        guard response.status == .ok else { throw try await refusal(response, of: member) }
        let body = try await body(of: response, from: member)
        do {
            return try JSONDecoder().decode(Answer.self, from: body)
        } catch {
            throw .unreadable(member)
        }
    }

    private func send(
        _ path: String, _ question: some Encodable & Sendable, to member: EtcdAddress.Member
    ) async throws(EtcdError) -> HTTPClientResponse {
        do {
            var request = HTTPClientRequest(
                url: "\(address.isEncrypted ? "https" : "http")://\(member)/v3/\(path)")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            if let token, path != "auth/authenticate" { request.headers.add(name: "Authorization", value: token) }
            request.body = .bytes(try JSONEncoder().encode(question))
            return try await http.execute(request, deadline: .now() + patience)
        } catch {
            throw .unreachable(member, Self.text(of: error))
        }
    }

    private func body(
        of response: HTTPClientResponse, from member: EtcdAddress.Member, upTo limit: Int = largestAnswer
    ) async throws(EtcdError) -> Data {
        do {
            let body = try await response.body.collect(upTo: limit, before: .now() + patienceInFull)
            return Data(body.readableBytesView)
        } catch let error where RemoteFailure.isOfSize(error) {
            throw .tooLarge(member, limit)
        } catch {
            throw .unreachable(member, Self.text(of: error))
        }
    }

    private func refusal(
        _ response: HTTPClientResponse, of member: EtcdAddress.Member
    ) async throws(EtcdError) -> EtcdError {
        let body = try await body(of: response, from: member, upTo: Self.largestRefusal)
        do {
            let problem = try JSONDecoder().decode(EtcdMessages.Problem.self, from: body)
            return .refused(
                member, code: problem.code ?? 0, problem.message ?? problem.error ?? "status \(response.status.code)")
        } catch {
            return .unreadable(member, "the status is \(response.status.code)")
        }
    }

    static func text(of error: any Error) -> String {
        if let error = error as? HTTPClientError, error == .deadlineExceeded || error == .connectTimeout {
            return "no response"
        }
        if RemoteFailure.isLostConnection(error) { return "the connection was closed" }
        if error is HTTPParserError { return "the response is not HTTP" }
        return RemoteFailure.connection(error, scheme: "etcds") ?? "\(error)"
    }
}
