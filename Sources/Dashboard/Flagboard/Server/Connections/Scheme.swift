extension Dashboard {
    /// How browsers reach a dashboard.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Encrypted by TLS.
        case https
        /// In clear text.
        case http

        /// The port that an address need not name.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }
}
