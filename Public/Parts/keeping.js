// What somebody has entered about the selected flags, kept from page to page and for whoever comes back to one.

const KEPT = "selection";

/** Leaves it for the page that comes next; returns whether it is kept. */
export function handOn(entered) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(entered));
    return true;
  } catch {
    return false;
  }
}

/** What the page before has left, which no other page gets; `null` where that is nothing. */
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

/** Leaves it for whoever comes back to this page, or loads it again; returns whether it is kept. */
export function remember(entered) {
  try {
    history.replaceState({ ...history.state, [KEPT]: entered }, "");
    return true;
  } catch {
    return false;
  }
}

/** What was left when this page was shown before; `null` where that is nothing. */
export function remembered() {
  return history.state?.[KEPT] ?? null;
}
