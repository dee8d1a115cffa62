// The stream of events: what other people, the app and editors have changed.
//
// A page that is not looked at keeps no stream, so that many tabs don't use up the connections that a browser opens to
// one server; when it is shown again, it catches up from the last row of the history that it has.

import { toEvents } from "./addresses.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

const sign = document.getElementById("live");
let lastRow = document.body.dataset.row;
/** What the page says at its top, as the server marks it. */
let standing = document.body.dataset.standing;
let take = null;
let source = null;
let wait = FIRST_WAIT;
let timer = null;
let isOver = false;
let isLost = false;

/**
 * Follows the stream from what the page was made with; a page that was made without the history has none to follow.
 *
 * @param takers A function for the data of each kind of event.
 */
export function follow(takers) {
  if (lastRow === undefined) return;
  take = takers;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(timer);
      disconnect();
    } else {
      wait = FIRST_WAIT;
      connect();
    }
  });
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", (event) => {
    if (event.persisted) connect();
  });
  connect();
}

/** Goes on from what a newer state of the page says at its top. */
export function stand(mark) {
  standing = mark;
}

/** Whether the stream has broken off and is not back, as where the server is away. */
export function isAway() {
  return isLost;
}

/** Asks the server without that counting as a use of the session; nothing where it can't be reached. */
export async function ask(address, options = {}) {
  try {
    return await fetch(address, { ...options, headers: { "Flagboard-Unattended": "1" } });
  } catch {
    return null;
  }
}

function connect() {
  clearTimeout(timer);
  if (source || isOver || document.hidden) return;
  const known = new URLSearchParams({ after: lastRow });
  if (standing !== undefined) known.set("standing", standing);
  source = new EventSource(`${toEvents}?${known}`);
  source.addEventListener("open", () => {
    wait = FIRST_WAIT;
    setLost(false);
    showSign("Live", true, "Changes appear here as they are made.");
  });
  source.addEventListener("error", lost);
  source.addEventListener("ended", end);
  for (const kind of Object.keys(take)) source.addEventListener(kind, receive);
}

function receive(event) {
  if (event.lastEventId) lastRow = event.lastEventId;
  take[event.type](JSON.parse(event.data));
}

function disconnect() {
  source?.close();
  source = null;
}

/** Keeps whether the server is away, and tells the other scripts when it is back. */
function setLost(isAway) {
  const isBack = isLost && !isAway;
  isLost = isAway;
  if (isBack) document.dispatchEvent(new Event("flagboard:back"));
}

async function lost() {
  const isRefused = source?.readyState === EventSource.CLOSED;
  if (!isRefused) setLost(true);
  disconnect();
  showSign("Reconnecting…", false, "Can’t reach the server. Retrying automatically.");
  const delay = wait * (1 + Math.random() / 2);
  wait = Math.min(wait * 2, LONGEST_WAIT);
  timer = setTimeout(connect, delay);
  if (!isRefused) return;
  const answer = await ask(toEvents, { method: "HEAD" });
  setLost(answer === null);
  if (answer?.status === 401) end();
}

function end() {
  isOver = true;
  clearTimeout(timer);
  disconnect();
  showSign("Signed out ·", false, "Your session has ended.");
  const link = document.createElement("a");
  // The page asks whoever is signed out to sign in, and comes back.
  link.href = location.pathname + location.search;
  link.textContent = "Sign in";
  sign.append(" ", link);
}

function showSign(text, isOn, hint) {
  sign.hidden = false;
  sign.textContent = text;
  sign.classList.toggle("live-on", isOn);
  sign.title = hint;
}
