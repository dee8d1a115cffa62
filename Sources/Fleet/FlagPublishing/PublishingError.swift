import FeatureFlagsRemote

/// Why the flags can't be published now.
struct PublishingError: Error, Hashable, CustomStringConvertible {
    /// Whether etcd holds something else than was thought, so that all is to be looked at anew, at once.
    let isRace: Bool
    let description: String

    private init(isRace: Bool = false, _ description: String) {
        (self.isRace, self.description) = (isRace, description)
    }

    /// Another program has published meanwhile.
    static func race(at address: EtcdAddress) -> PublishingError {
        PublishingError(isRace: true, "another program publishes at \(address) too; what is there is looked at anew")
    }

    /// What was published is there no more.
    static func emptied(_ layout: EtcdLayout) -> PublishingError {
        PublishingError(
            isRace: true,
            "etcd holds no \(layout.row) any more: it is empty, or the key was deleted; all flags are published again")
    }

    /// What is published belongs to another history.
    static func foreign(_ address: EtcdAddress, row: Int64, _ layout: EtcdLayout) -> PublishingError {
        PublishingError(
            "what is published at \(address) is of another history than this one (row \(row)), or that row was pruned here, so nothing "
                + "is published; "
                + "publish at another prefix, or have this history take the place of that one: etcdctl del \(layout.row)"
        )
    }

    /// The flags can't be told now.
    static let unreadable = PublishingError(
        "nothing is published while a file can't be read, or a change waits to be cleared up")

    /// A flag that etcd does not take.
    ///
    /// - Parameter row: The last row of the history that changed it; `nil` where none did.
    static func tooLarge(_ row: Int64?) -> PublishingError {
        PublishingError(
            "\(row.map { "the flag that row \($0) of the history changed" } ?? "a flag") holds more than etcd takes in one request "
                + "(1.5 MiB); nothing more is published until its value is made smaller, from when publishing goes on by "
                + "itself, or etcd is started with a greater --max-request-bytes")
    }
}
