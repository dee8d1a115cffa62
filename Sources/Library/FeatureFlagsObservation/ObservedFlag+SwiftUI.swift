#if canImport(SwiftUI)
    import FeatureFlags
    import SwiftUI

    extension ObservedFlag {
        /// A binding to ``value``, for a control; ToggleUI's property of the same name.
        ///
        /// ```swift
        /// import SwiftUI
        ///
        /// Toggle("Pay in one click", isOn: observed.$quickCheckout.binding)
        /// ```
        public var binding: Binding<Value> {
            Binding(get: { self.value }, set: { self.value = $0 })
        }
    }
#endif
