// Colours the JSON in a text area: a copy of its text lies behind it, coloured, and the text itself is transparent.

/** A text in quotes, with a colon behind it where it is a key; a number; a word. */
const PART = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Longer text would make typing slow. */
const LONGEST = 20000;

function classOf([whole, text, colon]) {
  if (text !== undefined) return colon === undefined ? "json-text" : "json-key";
  return /^[tfn]/.test(whole) ? "json-word" : "json-number";
}

function coloured(source) {
  const nodes = [];
  let place = 0;
  for (const found of source.matchAll(PART)) {
    const part = document.createElement("span");
    part.className = classOf(found);
    part.textContent = found[1] ?? found[0];
    nodes.push(source.slice(place, found.index), part);
    place = found.index + part.textContent.length;
  }
  // A line end at the end takes a line only with something behind it.
  nodes.push(source.slice(place), " ");
  return nodes;
}

/** Colours a text area for as long as it is on the page. */
export function colourJSON(field) {
  const copy = document.createElement("pre");
  copy.className = "json-colours";
  copy.setAttribute("aria-hidden", "true");
  const show = () => {
    const isShort = field.value.length <= LONGEST;
    field.classList.toggle("is-coloured", isShort);
    copy.replaceChildren(...(isShort ? coloured(field.value) : []));
    follow();
  };
  const follow = () => {
    copy.scrollTop = field.scrollTop;
    copy.scrollLeft = field.scrollLeft;
  };
  const frame = document.createElement("div");
  frame.className = "json-frame";
  field.before(frame);
  frame.append(copy, field);
  field.addEventListener("input", show);
  field.addEventListener("scroll", follow);
  show();
}
