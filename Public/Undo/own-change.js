// The last change of one's own at the foot of the page, and the key that leads to its undoing.

import { tellPlaced } from "./page-refresh.js";

/** Removes a notice that was read; the focus goes to what it was about. */
document.addEventListener("click", ({ target }) => {
  const notice = target.closest?.(".dismiss")?.closest(".notice");
  if (!notice) return;
  const row = notice.closest(".flag");
  const next = row?.querySelector(".switch") ?? row?.querySelector("a.name") ?? document.getElementById("main");
  notice.remove();
  next.focus({ preventScroll: true });
});

const announcer = document.getElementById("announcer");

/** Takes it over from a newer page. */
export function refreshOwnChange(page) {
  const [old, next] = [document, page].map((each) => each.getElementById("own-change"));
  if (!old || !next || old.isEqualNode(next) || old.contains(document.activeElement)) return;
  const made = document.importNode(next, true);
  old.replaceWith(made);
  tellPlaced(made);
}

/**
 * Leads to the notice of the newest change that the page has just made, which offers to undo it; else to a look at the reverse of the
 * last one of one's own. A key alone changes nothing.
 */
export function offerUndo() {
  const made = (notice) => Number(notice.dataset.made ?? 0);
  const notices = [...document.querySelectorAll("main .notice:has(.undo)")];
  const [notice] = notices.sort((one, other) => made(other) - made(one));
  if (notice) {
    notice.tabIndex = -1;
    notice.focus();
    return;
  }
  const button = document.querySelector("#own-change button");
  if (button) button.form.requestSubmit(button);
  else announcer.textContent = "Nothing to undo.";
}
