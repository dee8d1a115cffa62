// Changes that are looked at before they are made: their address, and what was selected for them in the list.

import { handOn, remember, remembered } from "./keeping.js";

const form = document.querySelector("form.batch-form");

/** Whoever cancels, or looks anew, finds what they had selected. */
function follow(event) {
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
  const selected = remembered();
  if (selected && !isElsewhere && event.target.closest("a[href]")) handOn(selected);
}

/** What is made is selected no more; where it is refused, it is looked at anew and may be cancelled still. */
function apply(event) {
  const selected = remembered();
  if (!selected || event.defaultPrevented) return;
  handOn({ ...selected, isApplied: true });
  remember(null);
}

form?.addEventListener("click", follow);
form?.addEventListener("submit", apply);
// Changes that were refused stand at an address that can't be loaded again; that of their preview can.
if (form?.dataset.again && location.pathname + location.search !== form.dataset.again) {
  history.replaceState(history.state, "", form.dataset.again);
}
