// Keys, the help in a dialog, the palette, and a question before what was typed is left behind.

import { toHelp } from "./addresses.js";
import { toggleFavourite } from "./favourites.js";
import { changesSomething, isChanged } from "./forms.js";
import { offerUndo } from "./own-change.js";
import { openPalette } from "./palette.js";
import { toggle } from "./rows.js";

const SETTING = "flagboard.single-keys";

// Single characters

function hasSingleKeys() {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    // A browser that keeps nothing has the keys on.
    return true;
  }
}

function setSingleKeys(isOn) {
  try {
    if (isOn) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, "off");
    return true;
  } catch {
    return false;
  }
}

/** Where a person types, or takes what is typed to belong to what was just pressed or read: no key is a command there. */
const OCCUPIED = [
  "input, textarea, select, button, summary, [contenteditable]",
  ".masthead, .list-look, #more-tabs, .notices, .banner, [role=alert]",
].join();

const isOccupied = (target) => target instanceof Element && target.closest(OCCUPIED) !== null;

function focusSearch() {
  const search = document.querySelector("main input[type=search]");
  if (!search) return openPalette();
  search.focus();
  search.select();
}

/** The rows of a list: flags, their values side by side, or changes. */
const ROWS = ".flag[data-flag], .matrix [data-flag], .change[data-change]";

/** What leads on from a row, the best first; the name of a flag that is gone is no link. */
const LINKS = ["a.name", "a.when", "a[href]", ".name"];

/** The link of each row that can be seen; a name that is none takes the focus too. */
function rowLinks() {
  return [...document.querySelectorAll(`main :is(${ROWS})`)]
    .filter((row) => row.checkVisibility?.() ?? row.offsetParent !== null)
    .map((row) => LINKS.map((link) => row.querySelector(link)).find((link) => link !== null) ?? null)
    .filter((link) => link !== null);
}

function moveRow(step) {
  const links = rowLinks();
  if (links.length === 0) return;
  const row = document.activeElement.closest?.(ROWS);
  const place = links.findIndex((link) => row?.contains(link));
  let next = place + step;
  if (place < 0) next = links.findIndex((link) => link.getBoundingClientRect().top >= 0);
  const link = links[Math.min(Math.max(next, 0), links.length - 1)];
  if (!link.matches("a")) link.tabIndex = -1;
  link.focus();
  link.scrollIntoView({ block: "nearest" });
}

/** Ticks or unticks the row that the focus is in. */
function tickRow() {
  document.activeElement.closest?.(ROWS)?.querySelector("input[type=checkbox][name=key]")?.click();
}

/** The row that the focus is in. */
const focusedRow = () => document.activeElement.closest?.("main .flag[data-flag]");

/** Opens the row that the focus is in, to change its flag, or closes it. */
function openRow() {
  const row = focusedRow();
  if (row) toggle(row);
}

/** To what is to be done to the flags that are ticked; there is nothing while none is. */
function focusSelection() {
  const form = document.getElementById("selection");
  if (form && !form.hidden) form.elements.action.focus();
}

const singleKeys = {
  "/": focusSearch,
  "?": () => openHelp(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  e: openRow,
  f: toggleFavourite,
  u: offerUndo,
  x: tickRow,
  " ": tickRow,
  s: focusSelection,
};

// Chords

function save() {
  const button = document.querySelector(".card-editor form button.button-primary[name=action]");
  if (!button || button.disabled) return false;
  button.form.requestSubmit(button);
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const key = event.key.toLowerCase();
  if (isChord && key === "k") {
    event.preventDefault();
    openPalette();
  } else if (isChord && key === "s") {
    if (document.querySelector("dialog[open]") || save()) event.preventDefault();
  } else if (!event.ctrlKey && !event.metaKey && !event.altKey && singleKeys[event.key]) {
    if (isOccupied(event.target) || document.querySelector("dialog[open]") || !hasSingleKeys()) return;
    // Where the focus is on no link of a row, the space bar does what it always does.
    if (event.key === " " && !event.target.matches?.("main .flag a")) return;
    event.preventDefault();
    singleKeys[event.key]();
  }
});

// Help

let help = null;

function makeHelp(content) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog dialog-help";
  dialog.setAttribute("aria-labelledby", "help-title");
  const heading = document.createElement("h1");
  heading.id = "help-title";
  heading.textContent = "Help";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button button-small";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  const head = document.createElement("div");
  head.className = "dialog-head";
  head.append(heading, close);
  dialog.append(head, withSetting(document.importNode(content, true)));
  document.body.append(dialog);
  return dialog;
}

function singleKeysSetting() {
  const label = document.createElement("label");
  label.className = "check";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.id = "single-keys";
  box.checked = hasSingleKeys();
  box.addEventListener("change", () => {
    if (!setSingleKeys(box.checked)) box.checked = hasSingleKeys();
  });
  label.append(box, " Enable single-key shortcuts (/, j, k, e, f, u, x, s, ?)");
  return label;
}

/** The help, with the setting above the keys that it is about. */
function withSetting(content) {
  content.querySelector(".keys")?.before(singleKeysSetting());
  return content;
}

async function openHelp() {
  if (location.pathname === toHelp) return;
  try {
    if (!help) {
      const answer = await fetch(toHelp);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      help ??= makeHelp(page.querySelector("[data-help]"));
    }
  } catch {
    // The page itself tells what is wrong.
    location.assign(toHelp);
    return;
  }
  if (!help.open) help.showModal();
}

if (location.pathname === toHelp) withSetting(document);

// Leaving

/** The form that is being sent, which alone is saved by that. */
let sent = null;

// Heard after the scripts that send a form themselves.
addEventListener("submit", (event) => {
  sent = event.defaultPrevented ? null : event.target;
});

addEventListener("pageshow", () => {
  sent = null;
});

addEventListener("beforeunload", (event) => {
  // A script that can keep what was typed does so now, and marks the form.
  document.dispatchEvent(new Event("flagboard:leaving"));
  const isUnsaved = (form) => form !== sent && !("kept" in form.dataset) && changesSomething(form) && isChanged(form);
  if ([...document.forms].some(isUnsaved)) event.preventDefault();
  // The person may stay, and leave another way.
  sent = null;
});
