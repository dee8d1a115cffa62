import FeatureFlags

/// A flag of a type, by a name that no test depends on.
func flag(_ type: FlagType, default value: FlagValue? = nil, _ constraints: FlagConstraints = FlagConstraints())
    -> FlagDefinition
{
    FlagDefinition(key: FlagKeyPath(components: ["flag"]), type: type, defaultValue: value, constraints: constraints)
}
