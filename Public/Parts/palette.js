// Finds flags, pages and saved searches by a part of their names, and turns Booleans on and off: a combobox with a list.

import { toApiFlags, toFlag, toFlagByKey, toFlags, within } from "./addresses.js";
import { ask } from "./live-stream.js";

const PAUSE = 120;
const MOST = 30;
/** How many characters of a value are shown. */
const LONGEST = 40;
/** How many of the first flags can be switched from the list. */
const MOST_SWITCHES = 5;
const RECENT = "flagboard.recent";
const MOST_RECENT = 8;

let dialog = null;
let field = null;
let list = null;
let status = null;
let timer = null;
let asking = null;
let chosen = -1;
let shownItems = [];
/** The text that the list was made for; the field may be ahead of it. */
let shownText = null;
/** Enter was pressed before the list had what was typed. */
let isGoing = false;

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

/** What was chosen last, the newest first; nothing where the browser keeps nothing. */
function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(kept) ? kept.filter(({ label, href }) => label && href?.startsWith("/")) : [];
  } catch (error) {
    console.info(`The palette has no recent items: ${error}`);
    return [];
  }
}

function remember({ label, note, href }) {
  try {
    const others = recent().filter((other) => other.href !== href);
    localStorage.setItem(RECENT, JSON.stringify([{ label, note, href }, ...others].slice(0, MOST_RECENT)));
  } catch (error) {
    console.info(`The palette keeps no recent items: ${error}`);
  }
}

function flagAddress(key) {
  const parts = key.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return `${toFlagByKey}?key=${encodeURIComponent(key)}`;
  }
  return toFlag + parts.map(encodeURIComponent).join("/");
}

/** How well an item matches, 0 the best: a name of it starts with the text, contains it, or neither. */
function rank({ label, flag }, wanted) {
  const key = flag?.key ?? "";
  const names = [flag?.name ?? label, key, key.slice(key.lastIndexOf("/") + 1)].map((name) => name.toLowerCase());
  if (names.some((name) => name.startsWith(wanted))) return 0;
  return names.some((name) => name.includes(wanted)) ? 1 : 2;
}

/** The items with the best matches first, else in their order. */
const ranked = (items, wanted) => items.toSorted((a, b) => rank(a, wanted) - rank(b, wanted));

/**
 * What a text says as an action, such as "turn on search" or "search off".
 *
 * @returns `{words, to}`: the words of the flag, and `on`, `off` or nothing; `null` where the text has no word of an action.
 */
function actionIn(text) {
  const all = text.split(/\s+/);
  const isOfAction = (word) => ["turn", "on", "off"].includes(word.toLowerCase());
  const said = all.filter(isOfAction).map((word) => word.toLowerCase());
  if (said.length === 0) return null;
  return { words: all.filter((word) => !isOfAction(word)).join(" "), to: said.findLast((word) => word !== "turn") };
}

async function flagsOf(text, signal) {
  const answer = await fetch(`${toApiFlags}?q=${encodeURIComponent(text)}`, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const { flags } = await answer.json();
  const found = flags.map((flag) => ({ label: flag.name, note: flag.key, href: flagAddress(flag.key), value: shown(flag), flag }));
  return ranked(found, text.toLowerCase());
}

/** The flags that a text names, the first of them with what would turn each on or off. */
async function flags(text, signal) {
  const found = await flagsOf(text, signal);
  return found.flatMap((item, place) => (place < MOST_SWITCHES && isSwitchable(item.flag) ? [item, switchOf(item)] : [item]));
}

/** The flags that an action is about, each after what would do it. */
async function actionsOn({ words, to }, signal) {
  const found = await flagsOf(words, signal);
  const isMeant = (flag) => isSwitchable(flag) && (to === undefined || flag.value === (to === "off"));
  return found.flatMap((item, place) => (place < MOST_SWITCHES && isMeant(item.flag) ? [switchOf(item), item] : [item]));
}

const cut = (text) => (text.length > LONGEST ? `${[...text.slice(0, 2 * LONGEST)].slice(0, LONGEST - 1).join("")}…` : text);

/** A value in the short form of the list's rows. */
function shown({ type, value }) {
  if (value === undefined || value === null) return "no value";
  if (type === "bool") return value ? "On" : "Off";
  if (typeof value !== "string") return cut(JSON.stringify(value, null, 1).replace(/\n\s*/g, " "));
  if (type === "date") return value.replace("T", " ").replace(/Z$/, " UTC");
  if (type === "data") return shownData(value);
  return value.includes("\"") ? `“${cut(value)}”` : `"${cut(value)}"`;
}

function shownData(base64) {
  const bytes = atob(base64);
  const first = [...bytes.slice(0, 8)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");
  const size = bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`;
  return size + (first && ": ") + first + (bytes.length > 8 ? " …" : "");
}

const isSwitchable = ({ type, value, isLocked, requiresRestart }) =>
  type === "bool" && typeof value === "boolean" && !isLocked && !requiresRestart;

function switchOf({ label, note, flag }) {
  return { label: `Turn ${flag.value ? "off" : "on"} ${label}`, note: "action", flag, act: () => turn(note, flag.value ? "off" : "on") };
}

/** Sends the form of the flag's row, so that the server decides as for a press of its switch. */
async function turn(key, action) {
  const answer = await ask(`${toFlags}?${new URLSearchParams({ group: key })}`);
  if (!answer?.ok) return location.assign(flagAddress(key));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = page.querySelector(`.flag[data-flag="${CSS.escape(key)}"] form.switching:has(button[value="${action}"])`);
  if (!form) return location.assign(flagAddress(key));
  const sent = document.createElement("form");
  Object.assign(sent, { method: "post", action: form.getAttribute("action"), hidden: true });
  const fields = [...new FormData(form), ["action", action]];
  if (location.pathname === toFlags) fields.push(["back", within(location.pathname + location.search)]);
  for (const [name, value] of fields) sent.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(sent);
  // A field is called action, and hides the properties of the form.
  HTMLFormElement.prototype.submit.call(sent);
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

/** A label with what was typed marked in it. */
function marked(label, wanted) {
  const name = document.createElement("bdi");
  const place = wanted === "" ? -1 : label.toLowerCase().indexOf(wanted);
  if (place < 0) {
    name.textContent = label;
    return name;
  }
  const mark = document.createElement("mark");
  mark.textContent = label.slice(place, place + wanted.length);
  name.append(label.slice(0, place), mark, label.slice(place + wanted.length));
  return name;
}

function show(items, total, text) {
  const wanted = text.toLowerCase();
  chosen = -1;
  shownItems = items;
  shownText = text;
  list.replaceChildren(
    ...items.map(({ label, note, value }, place) => {
      const option = document.createElement("li");
      option.id = `palette-${place}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const about = document.createElement("code");
      about.dir = "auto";
      about.textContent = note;
      option.append(marked(label, wanted), " ", about);
      if (value !== undefined) {
        const held = document.createElement("span");
        held.className = "palette-value";
        held.dir = "auto";
        held.textContent = value;
        option.append(" ", held);
      }
      return option;
    }),
  );
  field.setAttribute("aria-expanded", String(items.length > 0));
  const more = total > items.length ? `, the first ${items.length} shown` : "";
  const none = actionIn(text)?.words === "" ? "Type the flag’s name, too" : "No results";
  status.textContent = total === 0 ? none : `${total} found${more}`;
  choose(0);
}

/** The flags and pages that a text names, and then those flags that it names beside the words of an action. */
async function foundBy(text, pages, signal) {
  const action = actionIn(text);
  const [named, meant] = await Promise.all([flags(text, signal), action?.words ? actionsOn(action, signal) : []]);
  const isNew = ({ flag, act }) => !named.some((other) => other.flag.key === flag.key && !other.act === !act);
  const all = ranked([...named, ...pages], text.toLowerCase());
  return [...all, ...meant.filter(isNew)];
}

async function search() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const text = field.value.trim();
  const wanted = text.toLowerCase();
  const all = pages();
  const last = wanted === "" ? recent() : [];
  const isNew = ({ href }) => !last.some((item) => item.href === href);
  const matching = [...last, ...all.filter(isNew)].filter(({ label }) => label.toLowerCase().includes(wanted));
  try {
    const found = text === "" ? matching : await foundBy(text, matching, signal);
    if (signal.aborted) return;
    show(found.slice(0, MOST), found.length, text);
    if (isGoing) go();
  } catch (error) {
    if (error.name === "AbortError") return;
    isGoing = false;
    show(matching, matching.length, text);
    status.textContent = "Can’t search flags right now. Try again.";
  }
}

function go() {
  const item = shownItems[chosen];
  if (!item) return;
  dialog.close();
  if (item.act) return item.act();
  remember(item);
  location.assign(item.href);
}

/** Goes to what is chosen, or to the best match of what was typed as soon as that is found. */
function enter() {
  isGoing = shownText !== field.value.trim();
  if (!isGoing) return go();
  clearTimeout(timer);
  search();
}

function press(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) choose(chosen < 0 ? 0 : chosen + step);
  else if (event.key === "Enter" && !event.isComposing) enter();
  else return;
  event.preventDefault();
}

function make() {
  dialog = document.createElement("dialog");
  dialog.className = "dialog dialog-palette";
  dialog.setAttribute("aria-label", "Find or change a flag");
  field = document.createElement("input");
  field.type = "text";
  field.placeholder = "Find a flag, page or action";
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
    isGoing = false;
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    choose([...list.children].indexOf(option));
    go();
  });
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    asking?.abort();
    isGoing = false;
  });
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
