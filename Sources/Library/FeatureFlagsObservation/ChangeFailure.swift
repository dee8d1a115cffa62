import Observation
import Synchronization

/// The error of the last change, observable; `nil` if that succeeded.
final class ChangeFailure: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let last = Mutex<(any Error)?>(nil)

    var error: (any Error)? {
        registrar.access(self, keyPath: \.error)
        return last.withLock { $0 }
    }

    func take(_ error: (any Error)?) {
        let isSame = last.withLock { last in
            defer { last = error }
            return last == nil && error == nil
        }
        guard !isSame else { return }
        // Observers run outside the lock, and read the new error.
        registrar.withMutation(of: self, keyPath: \.error) {}
    }
}
