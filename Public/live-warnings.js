// Warnings in forms that are being filled in while somebody else changes what they are about. The forms are left alone.

import { heldForms, replace } from "./page-refresh.js";
import { VERBS, button, element, isolated, sentence, timeOf } from "./live-words.js";

/** Tells whoever fills in a form that the flag is not what it was when the form was opened. */
export function warnOfFlag(article, change, text, next) {
  for (const form of heldForms(article)) {
    form.querySelector(".live-warning")?.remove();
    const words = document.createElement("p");
    if (!change) {
      words.append(text);
    } else if (change.origin === "external") {
      words.append(`This flag was edited outside of Flagboard at ${timeOf(change)}: now `, isolated(text), ".");
    } else {
      words.append(isolated(change.actor), ` changed this flag at ${timeOf(change)}: now `, isolated(text), ".");
    }
    const warning = element("div", "banner banner-warning live-warning", words);
    warning.setAttribute("role", "alert");
    if (change) warning.append(warningActions(article, form, next));
    form.prepend(warning);
  }
}

/** Tells whoever edits a definition that it is not what it was; what the manifest says has no provider. */
export function warnOfDefinition(changes) {
  const form = document.querySelector("form.definition[data-flag]");
  if (!form) return;
  const change = changes.findLast((change) => change.key === form.dataset.flag && !change.provider);
  if (!change) return;
  const words = element("p", "");
  if (change.origin === "external") {
    words.append(`This definition was edited outside of Flagboard at ${timeOf(change)}. `);
  } else {
    words.append(isolated(change.actor), ` ${VERBS[change.kind] ?? "changed"} this flag at ${timeOf(change)}. `);
  }
  words.append("This form still shows what was before; saving it asks you to look at both.");
  warnOn(form, words, button("Load the definition of now", () => location.reload()));
}

/** Tells whoever looks at changes before they are made that a flag among them is not what it was. */
export function warnOfPreview(changes) {
  const form = document.querySelector("form.batch-form[data-again]");
  if (!form) return;
  const keys = new Set([...document.querySelectorAll("[data-changes]")].map((row) => row.dataset.changes));
  const change = changes.findLast((change) => keys.has(change.key) && (change.kind in VERBS || change.kind === "external"));
  if (!change) return;
  const words = element("p", "", isolated(sentence(change)), ` That was at ${timeOf(change)}, after this page was made: `);
  words.append("its changes are not made before you have looked at them anew.");
  const again = element("a", "button button-small", "Preview again");
  again.href = form.dataset.again;
  warnOn(form, words, again);
}

function warnOn(form, words, act) {
  const warning = element("div", "banner banner-warning live-warning", words, element("div", "actions", act));
  warning.setAttribute("role", "alert");
  form.querySelector(".live-warning")?.remove();
  form.prepend(warning);
}

function warningActions(article, form, next) {
  const show = button("Show", () => {
    const value = article.querySelector("[data-effective]");
    value?.scrollIntoView({ block: "center" });
    value?.focus({ preventScroll: true });
  });
  const discard = button("Discard mine", () => {
    const place = [...article.querySelectorAll("form")].indexOf(form);
    const other = next.querySelectorAll("form")[place];
    if (!other) return location.reload();
    replace(form, other).querySelector("[name=value]")?.focus();
  });
  return element("div", "actions", show, discard);
}
