// A field in which any flag or page is found by a part of its name: a combobox with a list, by the keyboard alone.

import { toApiFlags, toFlag, toFlagByKey } from "./addresses.js";

const PAUSE = 120;
const MOST = 30;

let dialog = null;
let field = null;
let list = null;
let status = null;
let timer = null;
let asking = null;
let chosen = -1;

/** The pages that the menu leads to, and those that only other pages lead to. */
function pages() {
  const links = new Map();
  const further = document.getElementById("further-pages")?.content.querySelectorAll("a") ?? [];
  for (const link of [...document.querySelectorAll(".masthead nav a[href]"), ...further]) {
    // In a template, the property is no address.
    links.set(link.getAttribute("href"), link.textContent.trim());
  }
  return [...links].map(([href, label]) => ({ label, note: "page", href }));
}

function flagAddress(key) {
  const parts = key.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return `${toFlagByKey}?key=${encodeURIComponent(key)}`;
  }
  return toFlag + parts.map(encodeURIComponent).join("/");
}

async function flags(text, signal) {
  const answer = await fetch(`${toApiFlags}?q=${encodeURIComponent(text)}`, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const wanted = text.toLowerCase();
  const { flags } = await answer.json();
  const found = flags.map(({ key, name }) => ({ label: name, note: key, href: flagAddress(key) }));
  const rank = ({ label, note }) => {
    const [name, key] = [label.toLowerCase(), note.toLowerCase()];
    const leaf = key.slice(key.lastIndexOf("/") + 1);
    if (name.startsWith(wanted) || leaf.startsWith(wanted) || key.startsWith(wanted)) return 0;
    return name.includes(wanted) || key.includes(wanted) ? 1 : 2;
  };
  return found.map((item) => [rank(item), item]).sort(([a], [b]) => a - b).map(([, item]) => item);
}

function choose(place) {
  const options = [...list.children];
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = options.length === 0 ? -1 : (place + options.length) % options.length;
  const option = options[chosen];
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
}

function show(items, total) {
  chosen = -1;
  list.replaceChildren(
    ...items.map(({ label, note, href }, place) => {
      const option = document.createElement("li");
      option.id = `palette-${place}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.href = href;
      const name = document.createElement("bdi");
      name.textContent = label;
      const about = document.createElement("code");
      about.dir = "auto";
      about.textContent = note;
      option.append(name, " ", about);
      return option;
    }),
  );
  field.setAttribute("aria-expanded", String(items.length > 0));
  const more = total > items.length ? `, the first ${items.length} shown` : "";
  status.textContent = total === 0 ? "Nothing found" : `${total} found${more}`;
  choose(0);
}

async function search() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const text = field.value.trim();
  const wanted = text.toLowerCase();
  const matching = pages().filter(({ label }) => label.toLowerCase().includes(wanted));
  try {
    const found = text === "" ? matching : [...(await flags(text, signal)), ...matching];
    if (!signal.aborted) show(found.slice(0, MOST), found.length);
  } catch (error) {
    if (error.name === "AbortError") return;
    show(matching, matching.length);
    status.textContent = "The flags can’t be searched now.";
  }
}

function go() {
  const href = list.children[chosen]?.dataset.href;
  if (!href) return;
  dialog.close();
  location.assign(href);
}

function press(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) choose(chosen < 0 ? 0 : chosen + step);
  else if (event.key === "Enter" && !event.isComposing) go();
  else return;
  event.preventDefault();
}

function make() {
  dialog = document.createElement("dialog");
  dialog.className = "dialog dialog-palette";
  dialog.setAttribute("aria-label", "Go to a flag or page");
  field = document.createElement("input");
  field.type = "text";
  field.placeholder = "Flag or page";
  field.autocomplete = "off";
  field.spellcheck = false;
  field.dir = "auto";
  const states = { role: "combobox", "aria-label": "Flag or page", "aria-expanded": "false" };
  const wiring = { "aria-controls": "palette-list", "aria-autocomplete": "list" };
  for (const [name, value] of Object.entries({ ...states, ...wiring })) field.setAttribute(name, value);
  list = document.createElement("ul");
  list.id = "palette-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Flags and pages");
  status = document.createElement("p");
  status.className = "hint";
  status.setAttribute("role", "status");
  field.addEventListener("keydown", press);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    choose([...list.children].indexOf(option));
    go();
  });
  dialog.addEventListener("close", () => asking?.abort());
  dialog.append(field, list, status);
  document.body.append(dialog);
}

/** Opens the palette. */
export function openPalette() {
  if (!dialog) make();
  if (dialog.open) return;
  document.querySelector("dialog[open]")?.close();
  field.value = "";
  dialog.showModal();
  field.focus();
  search();
}
