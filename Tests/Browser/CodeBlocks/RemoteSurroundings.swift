import FeatureFlagsRemote

/// The remote values that the examples of the documentation speak of.
let remote: RemoteProvider = {
    do {
        return try RemoteProvider("https://flags.example.com/shop.json")
    } catch {
        preconditionFailure("\(error)")
    }
}()
