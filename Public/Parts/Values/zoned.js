// Times in the time zone that the pages tell them in: the one that the viewer chose, else the browser's.

const zone = document.documentElement.dataset.zone;
const FORMAT = new Intl.DateTimeFormat("en", {
  timeZone: zone === "" ? undefined : zone,
  calendar: "gregory",
  numberingSystem: "latn",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

const padded = (number) => String(number).padStart(2, "0");

/** How far clocks are ahead of UTC, as the server says it: `UTC+1`. */
function words(minutes) {
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${padded(rest)}`}`;
}

/**
 * A time as the clocks of the zone show it, as the server writes it.
 *
 * @returns The day, the time of day to the second, and how far they are ahead of UTC.
 */
export function zoned(date) {
  const parts = Object.fromEntries(FORMAT.formatToParts(date).map(({ type, value }) => [type, value]));
  const day = `${parts.year.padStart(4, "0")}-${parts.month}-${parts.day}`;
  const clock = `${parts.hour}:${parts.minute}:${parts.second}`;
  const ahead = Math.round((Date.parse(`${day}T${clock}Z`) - date.getTime()) / 60_000);
  return { day, clock, offset: words(ahead) };
}
