import FeatureFlags
import Foundation

extension FlagsManager {
    /// Returns the definitions of all flags and groups, from which the dashboard knows types, defaults, locks,
    /// descriptions and groups.
    ///
    /// Flags and groups are in the order of declaration. A flag in a group that adds nothing to key paths, or registered
    /// with `organisedIn:`, has a ``FlagDefinition/group``. So have the flags of several collections, and those of one
    /// with a name or a description: each collection is a group around its own. An internal group has no entry, and
    /// groups with the same path share one. Flags of unknown type, and defaults, suggestions and `userInfo` entries that
    /// no manifest can hold are left out and reported in ``FlagsManager/diagnostics``.
    ///
    /// - Parameter existing: A manifest to update; it keeps the fields that the code doesn't define.
    /// - Returns: The manifest.
    /// - Throws: A ``FlagManifestError`` that names each flag that can't be defined, such as one of two with the same
    ///   key path.
    public func manifest(updating existing: FlagManifest? = nil) throws(FlagManifestError) -> FlagManifest {
        try declaredFlags.manifest(updating: existing)
    }

    /// Writes the definitions of all flags and groups to a file for the dashboard.
    ///
    /// The code's flags come in the order of declaration, and each other flag stays behind the one that it followed. The
    /// code's definitions take precedence; other flags, groups, fields and entries stay, but comments and layout do not.
    /// A file that already matches is not touched. If another program changes the file meanwhile, that change is read
    /// and updated.
    ///
    /// - Parameter url: The file, such as `flags.manifest.xml`; it need not exist.
    /// - Throws: A ``FlagManifestError`` if the file or a definition is invalid, or a ``FileAccessError`` if the file
    ///   can't be read or written, or keeps changing; it is unchanged then. If only the folder can't be synchronized,
    ///   the file is written, but a loss of power may undo it.
    public func writeManifest(to url: URL) throws { try declaredFlags.write(to: url) }

    private var declaredFlags: DeclaredFlags {
        let (loaders, registered) = contents
        var declared = DeclaredFlags(of: loaders, diagnostics)
        for flag in registered { declared.add(flag, prefix: keyConfiguration.prefixComponents.count) }
        return declared
    }
}

extension AnyFlagsLoader {
    /// Returns the definitions of the collection's flags and groups: ``FlagsManager/manifest(updating:)`` of this
    /// collection alone.
    ///
    /// - Parameter existing: A manifest to update; it keeps the fields that the code doesn't define.
    /// - Returns: The manifest.
    /// - Throws: A ``FlagManifestError`` that names each flag that can't be defined.
    public func manifest(updating existing: FlagManifest? = nil) throws(FlagManifestError) -> FlagManifest {
        try DeclaredFlags(of: [self], diagnostics).manifest(updating: existing)
    }

    /// Writes the definitions of the collection's flags and groups to a file for the dashboard:
    /// ``FlagsManager/writeManifest(to:)`` of this collection alone.
    ///
    /// - Parameter url: The file, such as `flags.manifest.xml`; it need not exist.
    /// - Throws: A ``FlagManifestError`` or a ``FileAccessError``, as ``FlagsManager/writeManifest(to:)``.
    public func writeManifest(to url: URL) throws { try DeclaredFlags(of: [self], diagnostics).write(to: url) }
}
