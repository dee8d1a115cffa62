import Foundation

/// The messages of etcd's JSON gateway: keys and values are base64, 64-bit numbers are text, and 0, false or empty
/// values are omitted.
enum EtcdMessages {
    struct Number: Codable, Hashable, Sendable, ExpressibleByIntegerLiteral {
        let value: Int64

        init(_ value: Int64) { self.value = value }
        init(integerLiteral value: Int64) { self.value = value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let value = Int64(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a number")
            }
            self.value = value
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(String(value))
        }
    }

    struct Header: Decodable, Sendable {
        let revision: Number?
        let clusterID: String?

        enum CodingKeys: String, CodingKey {
            case revision
            case clusterID = "cluster_id"
        }
    }

    struct Pair: Decodable, Sendable {
        let key: Data
        let value: Data?
        let created: Number?
        let modified: Number?

        var held: EtcdHeld {
            EtcdHeld(data: value ?? Data(), created: created?.value ?? 0, modified: modified?.value ?? 0)
        }

        enum CodingKeys: String, CodingKey {
            case key, value
            case created = "create_revision"
            case modified = "mod_revision"
        }
    }

    struct Range: Codable, Sendable {
        let key: Data
        var end: Data?
        var limit: Number?
        var revision: Number?

        enum CodingKeys: String, CodingKey {
            case key, limit, revision
            case end = "range_end"
        }
    }

    struct RangeAnswer: Decodable, Sendable {
        let header: Header
        let pairs: [Pair]?
        let hasMore: Bool?

        enum CodingKeys: String, CodingKey {
            case header
            case pairs = "kvs"
            case hasMore = "more"
        }
    }

    struct Compare: Encodable, Sendable {
        let key: Data
        let target: String
        let result = "EQUAL"
        var value: Data?
        var version: Number?
    }

    struct Put: Encodable, Sendable {
        let key: Data
        let value: Data
    }

    struct Operation: Encodable, Sendable {
        var put: Put?
        var delete: Range?
        var range: Range?

        enum CodingKeys: String, CodingKey {
            case put = "request_put"
            case delete = "request_delete_range"
            case range = "request_range"
        }
    }

    struct Transaction: Encodable, Sendable {
        let compare: [Compare]
        let success: [Operation]
        let failure: [Operation]
    }

    struct TransactionAnswer: Decodable, Sendable {
        struct Response: Decodable, Sendable {
            let range: RangeContent?

            enum CodingKeys: String, CodingKey { case range = "response_range" }
        }

        struct RangeContent: Decodable, Sendable {
            let pairs: [Pair]?

            enum CodingKeys: String, CodingKey { case pairs = "kvs" }
        }

        let header: Header
        let succeeded: Bool?
        let responses: [Response]?
    }

    struct SignIn: Encodable, Sendable {
        let name: String
        let password: String
    }

    struct SignInAnswer: Decodable, Sendable { let token: String }

    struct Watch: Encodable, Sendable {
        struct Creation: Encodable, Sendable {
            let key: Data
            let end: Data
            let start: Number

            enum CodingKeys: String, CodingKey {
                case key
                case end = "range_end"
                case start = "start_revision"
            }
        }

        let creation: Creation

        enum CodingKeys: String, CodingKey { case creation = "create_request" }
    }

    struct WatchLine: Decodable, Sendable {
        let result: WatchAnswer?
        let error: Problem?
    }

    struct WatchAnswer: Decodable, Sendable {
        let header: Header
        let isCanceled: Bool?
        let compacted: Number?
        let cancelReason: String?
        let events: [Event]?

        enum CodingKeys: String, CodingKey {
            case header, events
            case isCanceled = "canceled"
            case compacted = "compact_revision"
            case cancelReason = "cancel_reason"
        }
    }

    struct Event: Decodable, Sendable {
        let type: String?
        let pair: Pair

        enum CodingKeys: String, CodingKey {
            case type
            case pair = "kv"
        }
    }

    struct Problem: Decodable, Sendable {
        let message: String?
        let error: String?
        let code: Int?
        let grpcCode: Int?

        enum CodingKeys: String, CodingKey {
            case message, error, code
            case grpcCode = "grpc_code"
        }
    }
}

package struct EtcdHeld: Hashable, Sendable {
    package let data: Data
    package let created: Int64
    package let modified: Int64
}
