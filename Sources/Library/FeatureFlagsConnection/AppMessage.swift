import DurableFiles
import FeatureFlags
import Foundation

/// A line from an app to the dashboard, as JSON; it has one member.
package struct AppMessage: Codable, Hashable, Sendable {
    /// The first line.
    package struct Greeting: Codable, Hashable, Sendable {
        /// The version of the protocol, which is 1.
        package var version = AppMessage.version
        package var name: String
        package var process: Int32

        package init(name: String, process: Int32) { (self.name, self.process) = (name, process) }
    }

    /// Everything that the app holds, sent at first and after each change.
    package struct State: Codable, Hashable, Sendable {
        package var providers: [Provider]
        /// The values that the app reads, by key path.
        package var effective: [String: FlagValue]
    }

    package struct Provider: Codable, Hashable, Sendable {
        package var name: String
        package var description: String?
        package var isWritable: Bool
        /// The path of the values file, if the provider has one.
        package var file: String?
        package var values: [String: FlagValue]
        package var broken: [String: String]
        package var lastGood: [String: FlagValue]
    }

    /// The answer to a ``ServerMessage/Request``; without a problem, it is done.
    package struct Answer: Codable, Hashable, Sendable {
        package var request: Int
        package var problem: String?

        package init(request: Int, problem: String? = nil) { (self.request, self.problem) = (request, problem) }
    }

    package static let version = 1

    package var hello: Greeting?
    package var state: State?
    package var answer: Answer?

    package init(hello: Greeting) { self.hello = hello }
    package init(state: State) { self.state = state }
    package init(answer: Answer) { self.answer = answer }
}

/// A line from the dashboard to an app, as JSON; it has one member.
package struct ServerMessage: Codable, Hashable, Sendable {
    /// Changes of one provider's values, to be made all or none.
    package struct Request: Codable, Hashable, Sendable {
        package struct Change: Codable, Hashable, Sendable {
            package var key: String
            /// `nil` removes the value.
            package var value: FlagValue?

            package init(key: String, value: FlagValue?) { (self.key, self.value) = (key, value) }
        }

        package var id: Int
        package var provider: String
        package var changes: [Change]

        package init(id: Int, provider: String, changes: [Change]) {
            (self.id, self.provider, self.changes) = (id, provider, changes)
        }
    }

    /// The name under which the dashboard shows the app.
    package var welcome: String?
    /// The reason why the connection ends.
    package var refusal: String?
    package var request: Request?

    package init(welcome: String) { self.welcome = welcome }
    package init(refusal: String) { self.refusal = refusal }
    package init(request: Request) { self.request = request }
}

extension LineSocket {
    package func send(_ message: some Encodable) throws(PlainError) {
        let text: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            text = try encoder.encode(message)
        } catch {
            throw PlainError("can't write a message: \(error)")
        }
        try send(text)
    }

    package static func message<Message: Decodable>(_ type: Message.Type, in line: Data) throws(PlainError) -> Message {
        do {
            return try JSONDecoder().decode(type, from: line)
        } catch {
            throw PlainError("can't read a message: \(error)")
        }
    }
}
