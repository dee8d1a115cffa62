// An array or a dictionary as items of key, type and value, which write the JSON of the field, and are made from it.

import { icon } from "./icons.js";
import { JSONFault, format, parse, sameKey } from "./json-text.js";

const kinds = { text: "Text", number: "Number", switch: "On or off", json: "JSON" };

/** How many entries are shown as rows; a browser takes seconds for thousands. */
const MOST_ROWS = 500;

const EMPTY_TEXT = ' For empty text, choose the type JSON and enter "".';

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** The kind of row for a value that was read, with the text in it. */
function content(value) {
  if (value.kind === "text") return ["text", JSON.parse(value.raw)];
  if (value.kind === "number" || value.kind === "switch") return [value.kind, value.raw];
  // A part on several lines is indented by where it stands in the whole.
  return ["json", value.raw.includes("\n") ? format(value) : value.raw];
}

/** A row's value as JSON; throws a `JSONFault` where what is typed is none. `null` where it is of another kind. */
function written(kind, text) {
  if (kind === "text") return JSON.stringify(text);
  const value = parse(text);
  return kind === "json" || value.kind === kind ? format(value, "  ") : null;
}

/**
 * Makes the items of a field; `put` writes the field, and `judge` is called when items become wrong or right.
 *
 * @returns `{box, isWrong, isReadable}`: the element with the items, whether one of them is wrong, so that the field lacks it, and
 * whether the field can be read as items.
 */
export function rowsEditor(field, hasKeys, put, judge) {
  const list = make("ol");
  const said = make("p", { hidden: true });
  said.setAttribute("role", "status");
  const add = make("button", { type: "button", className: "button button-small", textContent: "Add item" });
  const box = make("fieldset", { className: "rows" }, make("legend", { className: "unseen", textContent: "Items" }), list, add, said);
  /** The rows that were added since the field was read: one of them that is empty is none yet. */
  const added = new WeakSet();
  /** What a part was made with, and what it showed then: the browser may show less. */
  const whole = new WeakMap();
  let isWriting = false;
  let isWrong = false;
  let isReadable = false;

  /** A field with a text in it, of as many lines as that has. */
  function textField(className, text) {
    const lines = text.split(/\r\n?|\n/).length;
    const field = lines > 1 ? make("textarea", { rows: Math.min(lines, 8) }) : make("input", { type: "text" });
    Object.assign(field, { className, value: text });
    whole.set(field, { text, shown: field.value });
    return field;
  }

  /** The JSON of a part: exactly what it was made with until it is edited. */
  function textOf(part) {
    const made = whole.get(part);
    return made && made.shown === part.value ? made.text : part.value;
  }

  function valueField(kind, text) {
    if (kind !== "switch") return textField("row-value", text);
    const select = make("select", { className: "row-value" });
    for (const [value, name] of [["true", "On"], ["false", "Off"]]) {
      select.append(make("option", { value, textContent: name, selected: value === text }));
    }
    return select;
  }

  function rowButton(content, className, act) {
    const button = make("button", { type: "button", className: `button button-small ${className}` }, content);
    button.addEventListener("click", act);
    return button;
  }

  /** Moves an item up or down by one, and keeps the focus where it was in it. */
  function move(item, step) {
    const other = step < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    const focused = document.activeElement;
    if (step < 0) other.before(item);
    else other.after(item);
    focused.focus();
    tellPlace(item);
  }

  function tellPlace(item) {
    write(`Moved to position ${[...list.children].indexOf(item) + 1}`);
  }

  function isBeyondMiddle(y, item) {
    const { top, height } = item.getBoundingClientRect();
    return y > top + height / 2;
  }

  /** Moves an item to where the pointer is. The others are moved past it: an item that leaves the page loses its pointer. */
  function dragTo(item, y) {
    for (let other; (other = item.previousElementSibling) && !isBeyondMiddle(y, other); ) item.after(other);
    for (let other; (other = item.nextElementSibling) && isBeyondMiddle(y, other); ) item.before(other);
  }

  function makeDraggable(item) {
    const handle = make("span", { className: "row-handle", title: "Drag to reorder" }, icon("grip"));
    const place = () => [...list.children].indexOf(item);
    let start = null;
    handle.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      handle.setPointerCapture(event.pointerId);
      start = place();
      item.classList.add("is-dragged");
    });
    handle.addEventListener("pointermove", (event) => {
      if (start !== null && event.isPrimary) dragTo(item, event.clientY);
    });
    handle.addEventListener("lostpointercapture", () => {
      item.classList.remove("is-dragged");
      if (place() !== start) tellPlace(item);
      start = null;
    });
    item.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!event.altKey || !step) return;
      event.preventDefault();
      move(item, step);
    });
    item.prepend(handle);
  }

  function row(key, kind, text) {
    const item = make("li", { className: hasKeys ? "" : "keyless" });
    if (hasKeys) item.append(textField("row-key", key));
    const select = make("select", { className: "row-kind" });
    for (const [value, name] of Object.entries(kinds)) {
      select.append(make("option", { value, textContent: name, selected: value === kind }));
    }
    select.addEventListener("change", () => {
      const old = item.querySelector(".row-value");
      const start = select.value === "switch" ? "true" : old.localName === "select" ? "" : textOf(old);
      old.replaceWith(valueField(select.value, start));
      write();
    });
    const remove = rowButton("Remove", "row-remove", () => {
      item.remove();
      write();
      add.focus();
    });
    item.append(select, valueField(kind, text));
    // The entries of a dictionary have no order.
    if (!hasKeys) {
      item.append(rowButton(icon("up"), "row-up", () => move(item, -1)), rowButton(icon("down"), "row-down", () => move(item, 1)));
      makeDraggable(item);
    }
    item.append(remove);
    return item;
  }

  /** Names the parts of each row by where it stands now. */
  function number() {
    [...list.children].forEach((item, place) => {
      const name = (part, label) => item.querySelector(part)?.setAttribute("aria-label", label);
      name(".row-key", `Key of item ${place + 1}`);
      name(".row-kind", `Type of item ${place + 1}`);
      name(".row-value", `Value of item ${place + 1}`);
      name(".row-up", `Move item ${place + 1} up`);
      name(".row-down", `Move item ${place + 1} down`);
      name(".row-remove", `Remove item ${place + 1}`);
      // Not disabled: that would take the focus from the button that has just moved the item to an end.
      item.querySelector(".row-up")?.setAttribute("aria-disabled", String(place === 0));
      item.querySelector(".row-down")?.setAttribute("aria-disabled", String(place === list.children.length - 1));
    });
  }

  function say(problems, note) {
    isWrong = problems.length > 0;
    said.className = isWrong ? "problem" : "hint";
    said.textContent = isWrong ? problems.join(" ") : note;
    said.hidden = !said.textContent;
  }

  /** Has the browser keep the form back at a field, or let it go again where there is no problem. */
  function mark(part, problem) {
    part.setCustomValidity(problem);
    if (problem) part.setAttribute("aria-invalid", "true");
    else part.removeAttribute("aria-invalid");
  }

  function keyProblem(item, place, keys) {
    const key = textOf(item.querySelector(".row-key"));
    if (!key && added.has(item)) return `Item ${place + 1} needs a key.`;
    if (keys.has(sameKey(key))) return `Item ${place + 1}: duplicate key.`;
    keys.add(sameKey(key));
    return "";
  }

  function valueOf(item, place) {
    const kind = item.querySelector(".row-kind").value;
    let [value, reason] = [null, ""];
    try {
      value = written(kind, textOf(item.querySelector(".row-value")));
    } catch (fault) {
      if (!(fault instanceof JSONFault)) throw fault;
      reason = `: ${fault.message}`;
    }
    if (value !== null) return [value, ""];
    const problem = kind === "number" ? "enter a number, such as 12 or 0.5" : `invalid JSON${reason}`;
    return ["", `Item ${place + 1}: ${problem}.`];
  }

  function isEmpty(item) {
    return !item.querySelector(".row-value").value && !item.querySelector(".row-key")?.value;
  }

  function write(note = "") {
    number();
    const [problems, lines, keys] = [[], [], new Set()];
    [...list.children].forEach((item, place) => {
      const isNone = added.has(item) && isEmpty(item);
      if (isNone) note ||= `Item ${place + 1} is empty and won’t be saved.${hasKeys ? "" : EMPTY_TEXT}`;
      const [value, valueProblem] = isNone ? ["", ""] : valueOf(item, place);
      const problem = hasKeys && !isNone ? keyProblem(item, place, keys) : "";
      mark(item.querySelector(".row-value"), valueProblem);
      if (hasKeys) mark(item.querySelector(".row-key"), problem);
      problems.push(...[problem, valueProblem].filter(Boolean));
      if (!isNone) lines.push(hasKeys ? `${JSON.stringify(textOf(item.querySelector(".row-key")))}: ${value}` : value);
    });
    say(problems, note);
    if (!isWrong) {
      const [start, end] = hasKeys ? ["{", "}"] : ["[", "]"];
      isWriting = true;
      put(field, lines.length ? `${start}\n${lines.map((line) => `  ${line}`).join(",\n")}\n${end}` : start + end);
      isWriting = false;
    }
    judge();
  }

  /** Makes the rows anew from the field, whatever was wrong with them: its text is what is sent. */
  function read() {
    if (isWriting) return;
    let value;
    try {
      value = field.value.trim() ? parse(field.value) : parse(hasKeys ? "{}" : "[]");
    } catch (fault) {
      if (!(fault instanceof JSONFault)) throw fault;
      value = { kind: "none" };
    }
    const entries = (hasKeys ? value.entries : value.items?.map((item) => ({ value: item }))) ?? [];
    const isLong = entries.length > MOST_ROWS;
    say([], isLong ? `${entries.length} items. Lists of more than ${MOST_ROWS} can only be edited as JSON.` : "");
    isReadable = value.kind === (hasKeys ? "object" : "array");
    box.disabled = isLong || !isReadable;
    if (box.disabled) {
      for (const part of list.querySelectorAll("[aria-invalid]")) mark(part, "");
      if (isLong) list.replaceChildren();
      return;
    }
    list.replaceChildren(...entries.map((entry) => row(entry.key ? JSON.parse(entry.key) : "", ...content(entry.value))));
    number();
  }

  list.addEventListener("input", () => write());
  add.addEventListener("click", () => {
    const item = row("", "text", "");
    added.add(item);
    list.append(item);
    write();
    item.querySelector(hasKeys ? ".row-key" : ".row-value").focus();
  });
  field.addEventListener("input", read);
  read();
  return { box, isWrong: () => isWrong, isReadable: () => isReadable };
}
