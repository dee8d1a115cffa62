import FeatureFlags

/// Reads records of CloudKit FeatureToggles: `featureName` and `isActive` of each.
enum RecordReader {
    /// Reads an array of records, or an object with one as `records`; throws for a partial list.
    static func content(of document: JSONValue) throws(FlagValueError) -> RemoteContent {
        if case .object(let members) = document, members["continuationMarker"] ?? .null != .null {
            throw FlagValueError(
                "it is one page of records, so flags on other pages would look deleted; request all records at once"
            )
        }
        guard case .array(let records) = document.child("records") ?? document else {
            throw FlagValueError("the array of records is missing, both at the top level and as \"records\"")
        }
        var content = RemoteContent()
        var nameless = 0
        for record in records where record.child("deleted") != .scalar(.bool(true)) {
            guard case .scalar(.string(let name)) = field("featureName", of: record) else {
                nameless += 1
                continue
            }
            let key = FlagKeyPath(components: [name])
            if content.entries[name] != nil || content.failures[key] != nil {
                content.entries[name] = nil
                content.failures[key] = FlagValueError("there are two records of \(name); remove one")
                continue
            }
            switch field("isActive", of: record) {
            case .scalar(.bool(let isActive)): content.entries[name] = .bool(isActive)
            case .scalar(.integer(let number)): content.entries[name] = .bool(number != 0)
            case .null:
                content.failures[key] = FlagValueError("its record has no isActive; set it to 1 or 0")
            case let other:
                content.failures[key] = FlagValueError(
                    "its record has \(other.briefDescription) as isActive; set it to 1 or 0")
            }
        }
        if nameless > 0 {
            content.remark =
                "\(nameless) of \(records.count) records are ignored because they have no featureName"
        }
        return content
    }

    private static func field(_ name: String, of record: JSONValue) -> JSONValue {
        if case .object? = record.child("fields") {
            return record.child("fields")?.child(name)?.child("value") ?? .null
        }
        return record.child(name) ?? .null
    }
}
