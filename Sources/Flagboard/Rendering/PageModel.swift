/// What one template shows: stored, display-ready properties, one for each key of the template.
///
/// swift-mustache reads stored properties alone and renders anything else as empty text, so nothing computed may be
/// needed, and a test compares the properties with the template.
public protocol PageModel: Sendable {
    /// The name of the template: its file's path in the templates' directory, without `.mustache`.
    static var template: String { get }
}
