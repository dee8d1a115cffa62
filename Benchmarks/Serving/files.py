"""Files of any number of flags: in groups of a hundred, of four types, with and without definitions."""

KINDS = ("bool", "integer", "string", "double")
GROUP = 100
SIZES = (100, 1_000, 10_000, 100_000)


def value(number):
    return (True, number, f"text {number % GROUP} of {number // GROUP}", number + 0.5)[number % 4]


def key(number):
    """The key path of the flag of this number; every fourth one from 0 is a Boolean."""
    return f"group{number // GROUP:04}/flag{number % GROUP:04}"


def write_flags(folder, count, has_manifest):
    """Writes so many flags, and returns the values file."""
    from samples import write

    values, flags = {}, []
    for number in range(count):
        group, leaf = key(number).split("/")
        values.setdefault(group, {})[leaf] = value(number)
        kind = KINDS[number % 4]
        # Half of the values are other than the default, as are those of flags that people change.
        default = value(number) if number % 2 else {"bool": False, "string": "another text"}[kind]
        flags.append({
            "key": key(number), "type": kind, "default": default, "name": f"Flag number {number}",
            "description": f"What number {number} is for, in a sentence.", "tags": [f"team {number % 17}"]})
    return write(folder, values, flags if has_manifest else None)
