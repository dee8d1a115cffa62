extension Dashboard {
    /// How browsers reach a dashboard.
    public enum Scheme: String, Hashable, Sendable {
        /// In clear text.
        case http
        /// Encrypted by TLS.
        case https

        /// The port that an address need not name.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }
}
