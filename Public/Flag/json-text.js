// Reads JSON text as the server does: it says by line and column where the text stops being JSON, and keeps each number and
// text as it is written, since JavaScript's own reader changes long integers and takes the last of two entries of one key.

const space = /[ \t\r\n]*/y;
const digits = /\d*/y;
const plain = /[^"\\\u0000-\u001f]*/y;
const unicode = /[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?![dD][89a-fA-F])[0-9a-fA-F]{4}/y;
const words = { t: "true", f: "false", n: "null" };
/** As deep as a property list may be. */
const deepest = 200;
const leastInteger = -(2n ** 63n);
const largestInteger = 2n ** 64n - 1n;

/** Where and why a text is no JSON. */
export class JSONFault extends Error {
  constructor(source, place, reason) {
    const lines = source.slice(0, place).split("\n");
    super(`line ${lines.length}, column ${[...lines.at(-1)].length + 1}: ${reason}`);
  }
}

/** What tells a key from others: the server takes a letter for the same however its accent is written. */
export function sameKey(key) {
  return key.normalize("NFC");
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
  const take = (signs) => {
    const isThere = place < source.length && signs.includes(source[place]);
    if (isThere) place += 1;
    return isThere;
  };
  const skip = (sign) => {
    match(space);
    return take(sign);
  };
  const list = (end, read) => {
    const found = [];
    place += 1;
    while (!skip(end)) {
      if (found.length && !skip(",")) fail(`expected a comma or ${end}`);
      match(space);
      found.push(read());
    }
    return found;
  };
  const escape = () => {
    const start = place;
    place += 1;
    if (place >= source.length) fail("unclosed string");
    if (take('"\\/bfnrt')) return;
    if (!take("u")) fail("unknown escape; write a backslash as \\\\", start);
    if (match(unicode) !== undefined) return;
    const isDigits = /^[0-9a-fA-F]{4}/.test(source.slice(place));
    fail(isDigits ? "a surrogate pair is incomplete" : "expected four hexadecimal digits after \\u", start);
  };
  const string = () => {
    const start = place;
    place += 1;
    while (match(plain) !== undefined && !take('"')) {
      if (place >= source.length) fail("unclosed string");
      if (source[place] !== "\\") fail("write control characters in a string as \\n, \\t or \\u00XX");
      escape();
    }
    return source.slice(start, place);
  };
  const number = () => {
    const start = place;
    take("-");
    const whole = match(digits);
    if (!whole || (whole.length > 1 && whole[0] === "0")) fail("a number must start with a digit, and can't have leading zeros", start);
    if (take(".") && !match(digits)) fail("expected a digit after the decimal point");
    if (take("eE")) {
      take("+-");
      if (!match(digits)) fail("expected a digit in the exponent");
    }
    const text = source.slice(start, place);
    if (/[.eE]/.test(text) && !Number.isFinite(Number(text))) fail(`the number ${text} is too large`, start);
  };
  const word = (wanted) => {
    for (const sign of wanted) if (!take(sign)) fail(`expected ${wanted}`);
  };
  const value = (depth) => {
    match(space);
    const start = place;
    const made = (kind, more = {}) => ({ kind, raw: source.slice(start, place), ...more });
    if (place >= source.length) fail(source ? "the text ends too early" : "the text is empty");
    const sign = source[place];
    if ("{[".includes(sign) && depth >= deepest) fail(`nested more than ${deepest} levels deep`);
    if (sign === "{") {
      const keys = new Set();
      const entries = list("}", () => {
        const at = place;
        if (source[place] !== '"') fail("expected a quoted key");
        const key = string();
        const same = sameKey(JSON.parse(key));
        if (keys.has(same)) fail(`duplicate key ${key}`, at);
        keys.add(same);
        if (!skip(":")) fail("expected a colon");
        return { key, value: value(depth + 1) };
      });
      return made("object", { entries });
    }
    if (sign === "[") {
      const items = list("]", () => value(depth + 1));
      return made("array", { items });
    }
    if (sign === '"') {
      string();
      return made("text");
    }
    if (sign in words) {
      word(words[sign]);
      return made(sign === "n" ? "null" : "switch");
    }
    if (!"-0123456789".includes(sign)) fail("expected a value");
    number();
    return made("number");
  };
  const read = value(0);
  match(space);
  if (place < source.length) fail("unexpected text after the value");
  return read;
}

/** What a property list can't store of a value that was read, in the server's words; `null` where it can store it all. */
export function storageProblem(value, path = "") {
  const at = path || "the top";
  if (value.kind === "null") return `null at ${at}: a property list can't store null; remove the entry`;
  if (value.kind === "number" && !/[.eE]/.test(value.raw)) {
    // So that no number of a million digits is worked out.
    const number = value.raw.length > 20 ? null : BigInt(value.raw);
    if (number !== null && number >= leastInteger && number <= largestInteger) return null;
    const range = `is out of range for an integer (${leastInteger} to ${largestInteger})`;
    return `${value.raw} at ${at} ${range}; write it in double quotes, or with a decimal point`;
  }
  const children = value.items?.map((item, place) => [String(place), item]) ?? [];
  for (const entry of value.entries ?? []) children.push([JSON.parse(entry.key), entry.value]);
  if (value.entries) children.sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [name, child] of children) {
    const problem = storageProblem(child, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (problem) return problem;
  }
  return null;
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
