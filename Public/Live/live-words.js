// The words and elements in which the page tells what another person changed.

import { zoned } from "./zoned.js";

export const VERBS = {
  set: "set",
  reset: "reset",
  define: "created",
  redefine: "changed the definition of",
  lock: "locked",
  unlock: "unlocked",
  remove: "deleted",
};

/** Whether a row of the history changed its flag: a reason that was given later, or a refused attempt, did not. */
export function changesFlag({ kind }) {
  return kind in VERBS || kind === "external";
}

const announcer = document.getElementById("announcer");

/** Announces a text to screen readers. */
export function say(text) {
  announcer.textContent = text;
}

export function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/** A text that a person wrote, whose direction leaves the words around it alone. */
export function isolated(text) {
  const made = document.createElement("bdi");
  made.textContent = text;
  return made;
}

export function button(label, act) {
  const made = element("button", "button button-small", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** When a change was made. */
export function timeOf(change) {
  const { clock, offset } = zoned(new Date(change.at));
  return `${clock.slice(0, 5)} ${offset}`;
}

/** What a change did; `when` follows it within the sentence. */
export function sentence(change, when = "") {
  if (change.origin === "external") return `${change.key} was edited outside Flagboard${when}.`;
  if (change.kind === "note") return `${change.actor} added a reason for a change to ${change.key}${when}.`;
  const place = change.provider ? ` in ${change.provider}` : "";
  return `${change.actor} ${VERBS[change.kind] ?? "changed"} ${change.key}${place}${when}.`;
}

/** What several changes did: how many they are, and the last one. */
export function summary(changes) {
  if (changes.length === 1) return sentence(changes[0]);
  return `${changes.length} changes. Latest: ${sentence(changes.at(-1))}`;
}
