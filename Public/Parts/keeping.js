// What was entered about the selected flags, kept from page to page and for a return to one.

const KEPT = "selection";

/** Keeps it for the next page; returns whether that succeeded. */
export function handOn(entered) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(entered));
    return true;
  } catch {
    return false;
  }
}

/** What the page before kept, once; `null` where it kept nothing. */
export function take() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    sessionStorage.removeItem(KEPT);
    return kept;
  } catch {
    // A browser that keeps nothing has asked whether to leave.
    return null;
  }
}

/** Keeps it for a return to this page or a reload; returns whether that succeeded. */
export function remember(entered) {
  try {
    history.replaceState({ ...history.state, [KEPT]: entered }, "");
    return true;
  } catch {
    return false;
  }
}

/** What this page kept when it was shown before; `null` where it kept nothing. */
export function remembered() {
  return history.state?.[KEPT] ?? null;
}
