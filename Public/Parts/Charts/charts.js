// Keys in charts: Tab stops at one bar of each, and the arrow keys lead from there to the others.

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const bar = event.target.closest?.("[data-chart] a");
  if (!bar) return;
  const bars = [...bar.closest("[data-chart]").querySelectorAll("a")];
  const place = bars.indexOf(bar);
  const last = bars.length - 1;
  let next = place + (STEPS[event.key] ?? 0);
  if (event.key === "Home") next = 0;
  if (event.key === "End") next = last;
  if (next === place && !(event.key in STEPS) && event.key !== "Home" && event.key !== "End") return;
  event.preventDefault();
  const other = bars[Math.min(Math.max(next, 0), last)];
  bar.setAttribute("tabindex", "-1");
  other.removeAttribute("tabindex");
  other.focus();
});
