// Warnings in forms that are being filled in while another person changes their flag. The forms are left alone.

import { toFlag, toHistory } from "./addresses.js";
import { heldForms, replace } from "./page-refresh.js";
import { VERBS, button, changesFlag, element, isolated, sentence, timeOf } from "./live-words.js";

/**
 * Warns in a form that the flag has changed since the form was opened.
 *
 * @param next The newer state of the flag's page.
 */
export function warnOfFlag(article, change, next) {
  for (const form of heldForms(article)) {
    warnOn(form, element("p", "", ...flagWords(change, next, form)), ...warningActions(article, form, next));
  }
}

/** The text of a value, short enough for a sentence. */
function brief(value) {
  const text = value?.textContent.trim() ?? "";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What the change's provider has now: one of another environment is never in use here. */
function newValue(change, next) {
  const isOfProvider = (reading) => reading.querySelector(".provider").textContent === change.provider;
  const reading = [...next.querySelectorAll(".reading")].find(isOfProvider);
  const own = reading?.querySelector(".reading-answer > .value");
  if (own) return ["New value: ", isolated(brief(own))];
  if (reading?.closest(".readings-elsewhere")) return ["It has no value in ", isolated(change.provider), " now."];
  return ["New value: ", isolated(brief(next.querySelector("[data-effective]")))];
}

/** What a change did to the flag that a form is about. */
function flagWords(change, next, form) {
  const time = `at ${timeOf(change)}`;
  if (change.origin === "external") {
    const deed = `was edited outside Flagboard ${time}`;
    if (!change.provider) return [`The definition of this flag ${deed}.`];
    return [`This flag ${deed}. `, ...newValue(change, next)];
  }
  const who = isolated(change.actor);
  if (change.kind === "lock" || change.kind === "unlock") return [who, ` ${VERBS[change.kind]} this flag ${time}.`];
  if (!change.provider) return [who, ` changed the definition of this flag ${time}.`];
  const provider = form.elements.provider?.value ?? change.provider;
  if (provider === change.provider) return [who, ` changed this flag ${time}. `, ...newValue(change, next)];
  const words = [" changed this flag in ", isolated(change.provider), ` ${time}. This form edits `, isolated(provider)];
  return [who, ...words, ". Value in use: ", isolated(brief(next.querySelector("[data-effective]")))];
}

/**
 * Says on a flag's page that the flag is gone, or has another key path.
 *
 * @param changes What changes say of it.
 * @param answer The page that its address answers with now.
 */
export function tellGone(article, changes, answer) {
  tellBack();
  const change = changes.at(-1);
  const next = answer.querySelector(".refusal ~ .actions > .button-primary");
  const isRenamed = next?.getAttribute("href").startsWith(toFlag) ?? false;
  const what = isRenamed ? isolated(answer.querySelector(".refusal .lead").textContent) : "This flag no longer exists.";
  const words = element("p", "", what);
  if (change && isRenamed) words.append(" Renamed by ", isolated(change.actor), ` at ${timeOf(change)}.`);
  else if (change) words.append(" Last change: ", isolated(sentence(change, ` at ${timeOf(change)}`)));
  const link = isRenamed ? document.importNode(next, true) : historyLink(article.dataset.flag);
  link.className = "button button-small";
  const notice = element("div", "banner banner-warning live-gone", words, link);
  notice.setAttribute("role", "alert");
  article.before(notice);
}

/** Takes back that a flag is gone. */
export function tellBack() {
  document.querySelector("main > .live-gone")?.remove();
}

function historyLink(key) {
  const link = element("a", "button button-small", "View history");
  link.href = `${toHistory}?${new URLSearchParams({ key })}`;
  return link;
}

/** Warns in the form of a definition that the definition has changed; the manifest has no provider. */
export function warnOfDefinition(changes) {
  const form = document.querySelector("form.definition[data-flag]");
  if (!form) return;
  const isTold = (change) => change.key === form.dataset.flag && !change.provider && changesFlag(change);
  const change = changes.findLast(isTold);
  if (!change) return;
  const words = element("p", "");
  if (change.origin === "external") {
    words.append(`This definition was edited outside Flagboard at ${timeOf(change)}. `);
  } else {
    words.append(isolated(change.actor), ` ${VERBS[change.kind]} this flag at ${timeOf(change)}. `);
  }
  if (change.kind === "remove") {
    words.append("The definition no longer exists, so this form can’t be saved.");
    return warnOn(form, words, historyLink(change.key));
  }
  words.append("This form still shows the earlier definition. If you save it, you can compare the two first.");
  warnOn(form, words, button("Load current definition", () => location.reload()));
}

/** Warns on a preview that one of its flags has changed. */
export function warnOfPreview(changes) {
  const form = document.querySelector("form.batch-form[data-again]");
  if (!form) return;
  const keys = new Set([...document.querySelectorAll("[data-changes]")].map((row) => row.dataset.changes));
  const change = changes.findLast((change) => keys.has(change.key) && changesFlag(change));
  if (!change) return;
  const words = element("p", "", isolated(sentence(change, ` at ${timeOf(change)}, after this preview`)));
  words.append(" Preview the changes again before you apply them.");
  const again = element("a", "button button-small", "Preview again");
  again.href = form.dataset.again;
  warnOn(form, words, again);
}

function warnOn(form, words, ...actions) {
  const warning = element("div", "banner banner-warning live-warning", words, element("div", "actions", ...actions));
  warning.setAttribute("role", "alert");
  form.querySelector(".live-warning")?.remove();
  form.prepend(warning);
}

function warningActions(article, form, next) {
  const show = button("View", () => {
    const value = article.querySelector("[data-effective]");
    value?.scrollIntoView({ block: "center" });
    value?.focus({ preventScroll: true });
  });
  const discard = button("Discard my edits", () => {
    const place = [...article.querySelectorAll("form")].indexOf(form);
    const other = next.querySelectorAll("form")[place];
    if (!other) return location.reload();
    replace(form, other).querySelector("[name=value]")?.focus();
  });
  return [show, discard];
}
