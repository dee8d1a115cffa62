// Reads JSON text as the server does: it says by line and column where the text stops being JSON, and keeps each number and
// text as it is written, since JavaScript's own reader changes long integers and takes the last of two entries of one key.

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const word = /true|false|null/y;
const space = /[ \t\r\n]*/y;

/** Where and why a text is no JSON. */
export class JSONFault extends Error {
  constructor(source, place, reason) {
    const lines = source.slice(0, place).split("\n");
    super(`line ${lines.length}, column ${[...lines.at(-1)].length + 1}: ${reason}`);
  }
}

/**
 * Reads a text.
 *
 * Each value is `{kind, raw}`; an object has `entries` of `{key, value}` besides, an array `items`. The key is as written,
 * with its quotes.
 */
export function parse(source) {
  let place = 0;
  const fail = (reason, at = place) => {
    throw new JSONFault(source, at, reason);
  };
  const match = (pattern) => {
    pattern.lastIndex = place;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) place += found.length;
    return found;
  };
  const skip = (sign) => {
    match(space);
    if (source[place] !== sign) return false;
    place += 1;
    return true;
  };
  const list = (end, read) => {
    const found = [];
    place += 1;
    while (!skip(end)) {
      if (found.length && !skip(",")) fail(`a comma or ${end} was expected`);
      match(space);
      found.push(read());
    }
    return found;
  };
  const string = (reason) => {
    if (source[place] !== '"') fail(reason);
    return match(text) ?? fail("the text in quotes does not end, or holds what must be escaped");
  };
  const value = (depth) => {
    match(space);
    const start = place;
    const made = (kind, more = {}) => ({ kind, raw: source.slice(start, place), ...more });
    if (place >= source.length) fail(source ? "the text ends too early" : "the text is empty");
    if (depth > 200) fail("nested more than 200 levels deep");
    switch (source[place]) {
      case "{": {
        const keys = new Set();
        const entries = list("}", () => {
          const at = place;
          const key = string("a key in double quotes was expected");
          if (keys.has(JSON.parse(key))) fail(`the key ${key} is there twice`, at);
          keys.add(JSON.parse(key));
          if (!skip(":")) fail("a colon was expected");
          return { key, value: value(depth + 1) };
        });
        return made("object", { entries });
      }
      case "[": {
        const items = list("]", () => value(depth + 1));
        return made("array", { items });
      }
      case '"':
        string("");
        return made("text");
    }
    if (match(number) !== undefined) return made("number");
    if (match(word) !== undefined) return made(source[start] === "n" ? "null" : "switch");
    return fail('a value was expected, such as 1, "text", true, [ or {');
  };
  const read = value(0);
  match(space);
  if (place < source.length) fail("nothing may follow the value");
  return read;
}

/** A value that was read, as text that is indented by two spaces. */
export function format(value, indent = "") {
  const deeper = `${indent}  `;
  if (value.kind === "object" && value.entries.length) {
    const lines = value.entries.map((entry) => `${deeper}${entry.key}: ${format(entry.value, deeper)}`);
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  if (value.kind === "array" && value.items.length) {
    return `[\n${value.items.map((item) => deeper + format(item, deeper)).join(",\n")}\n${indent}]`;
  }
  return { object: "{}", array: "[]" }[value.kind] ?? value.raw;
}
