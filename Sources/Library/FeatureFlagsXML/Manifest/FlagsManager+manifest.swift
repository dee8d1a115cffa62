import FeatureFlags
import Foundation

extension FlagsManager {
    /// Returns the definitions of all flags and groups, for the dashboard.
    ///
    /// Flags and groups are in the order of declaration. A flag has a ``FlagDefinition/group`` if its group adds
    /// nothing to key paths, or if it was registered with `organisedIn:`. If there are several collections, or one has
    /// a name or a description, each collection is a group of its own around its flags.
    ///
    /// An internal group has no entry, and groups with the same path share an entry. Flags of unknown type are left out
    /// and reported in ``FlagsManager/diagnostics``, as are defaults, suggestions and `userInfo` entries that a
    /// manifest can't hold.
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
    /// The code's flags come in the order of declaration, and its definitions take precedence. Each other flag stays
    /// behind its former predecessor. Other groups, fields and entries stay too, but comments and layout don't. A file
    /// that already matches is not touched. If another program changes the file meanwhile, it is read and updated
    /// again.
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
    /// Returns the definitions of the collection's flags and groups, as ``FlagsManager/manifest(updating:)``.
    ///
    /// - Parameter existing: A manifest to update; it keeps the fields that the code doesn't define.
    /// - Returns: The manifest.
    /// - Throws: A ``FlagManifestError`` that names each flag that can't be defined.
    public func manifest(updating existing: FlagManifest? = nil) throws(FlagManifestError) -> FlagManifest {
        try DeclaredFlags(of: [self], diagnostics).manifest(updating: existing)
    }

    /// Writes the definitions of the collection's flags and groups to a file, as ``FlagsManager/writeManifest(to:)``.
    ///
    /// - Parameter url: The file, such as `flags.manifest.xml`; it need not exist.
    /// - Throws: A ``FlagManifestError`` or a ``FileAccessError``.
    public func writeManifest(to url: URL) throws { try DeclaredFlags(of: [self], diagnostics).write(to: url) }
}
