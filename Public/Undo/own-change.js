// The last change of one's own at the foot of the page, and the key that undoes it.

import { tellPlaced } from "./page-refresh.js";

const announcer = document.getElementById("announcer");

/** Takes it over from a newer page. */
export function refreshOwnChange(page) {
  const [old, next] = [document, page].map((each) => each.getElementById("own-change"));
  if (!old || !next || old.isEqualNode(next) || old.contains(document.activeElement)) return;
  const made = document.importNode(next, true);
  old.replaceWith(made);
  tellPlaced(made);
}

/** Undoes the change that the page has just made; else leads to a look at the reverse of the last one of one's own. */
export function undo() {
  const button = document.querySelector("main .notice .undo button") ?? document.querySelector("#own-change button");
  if (button) button.form.requestSubmit(button);
  else announcer.textContent = "There is no change of yours that can be undone here.";
}
