// Times as the person who looks reads them: words such as "3 minutes ago" are kept true while the page stays open.

const UNITS = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [2678400, 86400, "day"],
];
/** How often the words are looked at, in milliseconds. */
const PAUSE = 10_000;

/** How long ago so many seconds are, as the server says it; `null` where it gives the time itself. */
function words(seconds) {
  if (seconds < -5) return null;
  if (seconds < 10) return "just now";
  const unit = UNITS.find(([below]) => seconds < below);
  if (!unit) return null;
  const number = Math.floor(seconds / unit[1]);
  return `${number} ${unit[2]}${number === 1 ? "" : "s"} ago`;
}

function refresh() {
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const text = words((Date.now() - Date.parse(time.dateTime)) / 1000);
    if (text !== null && text !== time.textContent) time.textContent = text;
  }
}

setInterval(refresh, PAUSE);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("flagboard:placed", refresh);
refresh();
