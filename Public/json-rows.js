// An array or a dictionary as rows of key, type and value, which write the JSON of the field, and are made from it.

import { format, parse } from "./json-text.js";

const kinds = { text: "Text", number: "Number", switch: "On or off", json: "JSON" };

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function labelled(element, label) {
  element.setAttribute("aria-label", label);
  return element;
}

/** The kind of row for a value that was read, with the text in it. */
function content(value) {
  if (value.kind === "text") return ["text", JSON.parse(value.raw)];
  if (value.kind === "number" || value.kind === "switch") return [value.kind, value.raw];
  return ["json", value.raw];
}

/** A row's value as JSON; `null` where what is typed is none of its kind. */
function written(kind, text) {
  if (kind === "text") return JSON.stringify(text);
  try {
    const value = parse(text);
    return kind === "json" || value.kind === kind ? format(value, "  ") : null;
  } catch {
    return null;
  }
}

/** Adds the rows before the field; `put` writes the field. */
export function rowsEditor(field, hasKeys, put) {
  const list = make("ol");
  const said = make("p", { className: "problem", hidden: true });
  said.setAttribute("role", "status");
  const add = make("button", { type: "button", className: "button button-small", textContent: "Add a row" });
  const box = make("fieldset", { className: "rows inset" }, make("legend", { textContent: "Rows" }), list, add, said);
  let isWriting = false;

  function valueField(kind, text, number) {
    const label = `Value of row ${number}`;
    if (kind !== "switch") return labelled(make("input", { type: "text", className: "row-value", value: text }), label);
    const select = make("select", { className: "row-value" });
    for (const [value, name] of [["true", "On"], ["false", "Off"]]) {
      select.append(make("option", { value, textContent: name, selected: value === text }));
    }
    return labelled(select, label);
  }

  function row(key, kind, text) {
    const number = list.children.length + 1;
    const item = make("li", { className: hasKeys ? "" : "keyless" });
    const keyField = labelled(make("input", { type: "text", className: "row-key", value: key }), `Key of row ${number}`);
    if (hasKeys) item.append(keyField);
    const select = labelled(make("select", { className: "row-kind" }), `Type of row ${number}`);
    for (const [value, name] of Object.entries(kinds)) {
      select.append(make("option", { value, textContent: name, selected: value === kind }));
    }
    select.addEventListener("change", () => {
      const old = item.querySelector(".row-value");
      const start = select.value === "switch" ? "true" : old.localName === "select" ? "" : old.value;
      old.replaceWith(valueField(select.value, start, number));
      write();
    });
    const remove = make("button", { type: "button", className: "button button-small", textContent: "Remove" });
    remove.addEventListener("click", () => {
      item.remove();
      write();
      add.focus();
    });
    item.append(select, valueField(kind, text, number), labelled(remove, `Remove row ${number}`));
    return item;
  }

  function write() {
    const problems = [];
    const keys = new Set();
    const lines = [...list.children].map((item, index) => {
      const value = written(item.querySelector(".row-kind").value, item.querySelector(".row-value").value);
      if (value === null) problems.push(`Row ${index + 1} holds no value of its type.`);
      if (!hasKeys) return value;
      const key = item.querySelector(".row-key").value;
      if (keys.has(key)) problems.push(`The key of row ${index + 1} is there twice.`);
      keys.add(key);
      return `${JSON.stringify(key)}: ${value}`;
    });
    said.hidden = !problems.length;
    said.textContent = problems.length ? `${problems.join(" ")} The JSON stays as it was.` : "";
    if (problems.length) return;
    const [start, end] = hasKeys ? ["{", "}"] : ["[", "]"];
    isWriting = true;
    put(field, lines.length ? `${start}\n${lines.map((line) => `  ${line}`).join(",\n")}\n${end}` : start + end);
    isWriting = false;
  }

  function read() {
    if (isWriting) return;
    let value;
    try {
      value = field.value.trim() ? parse(field.value) : parse(hasKeys ? "{}" : "[]");
    } catch {
      value = { kind: "none" };
    }
    box.disabled = value.kind !== (hasKeys ? "object" : "array");
    if (box.disabled) return;
    list.replaceChildren();
    for (const entry of value.entries ?? value.items.map((item) => ({ value: item }))) {
      list.append(row(entry.key ? JSON.parse(entry.key) : "", ...content(entry.value)));
    }
  }

  list.addEventListener("input", write);
  add.addEventListener("click", () => {
    const item = row("", "text", "");
    list.append(item);
    write();
    item.querySelector("input").focus();
  });
  field.addEventListener("input", read);
  field.closest(".field").before(box);
  read();
}
