// Copying between columns: with rows selected, the bar offers to copy those and stays in sight; else it offers all.

const bar = () => document.querySelector("[data-copy-bar]");
const picks = () => [...document.querySelectorAll('.matrix .pick input[name="key"]')];

/** Shows in the bar what the selected rows allow. */
function show() {
  const place = bar();
  if (!place) return;
  const boxes = picks();
  const count = boxes.filter((box) => box.checked).length;
  for (const button of place.querySelectorAll("[data-copy-scope]")) {
    button.hidden = (button.dataset.copyScope === "selected") !== count > 0;
  }
  place.querySelector('[data-copy-pick="all"]').hidden = boxes.length < 2 || count === boxes.length;
  place.querySelector('[data-copy-pick="none"]').hidden = count === 0;
  place.classList.toggle("copy-bar-selected", count > 0);
  const text = count > 0 ? `${count} selected` : "";
  const counter = place.querySelector("[data-copy-count]");
  if (counter.textContent !== text) counter.textContent = text;
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-copy-pick]");
  if (!button) return;
  for (const box of picks()) box.checked = button.dataset.copyPick === "all";
  show();
  // A button that has gone must not take the focus along.
  if (button.hidden) bar().querySelector("button:not([hidden])")?.focus();
});
document.addEventListener("change", (event) => {
  if (event.target instanceof Element && event.target.matches(".matrix .pick input")) show();
});
// A browser that goes back restores the boxes without an event.
addEventListener("pageshow", show);
// The page is brought up to date in place.
const main = document.querySelector("main");
if (main) new MutationObserver(show).observe(main, { childList: true, subtree: true });
show();
