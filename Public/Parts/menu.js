// The menu of a narrow screen closes by Esc, and when the focus or a click goes elsewhere.

const menu = document.getElementById("menu");

/** Whether it is one that unfolds: on a wide screen it always stands open. */
function isFolding() {
  const summary = menu.querySelector("summary");
  return menu.open && (summary.checkVisibility?.() ?? summary.offsetParent !== null);
}

if (menu) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isFolding()) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget) && isFolding()) menu.open = false;
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target) && isFolding()) menu.open = false;
  });
}
