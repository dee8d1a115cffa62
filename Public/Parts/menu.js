// Menus close by Esc, and when the focus or a click goes elsewhere.


function isFolding(menu) {
  const summary = menu.querySelector("summary");
  return menu.open && (summary.checkVisibility?.() ?? summary.offsetParent !== null);
}

function equip(menu) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isFolding(menu)) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget) && isFolding(menu)) menu.open = false;
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target) && isFolding(menu)) menu.open = false;
  });
}

const MENUS = "#menu, #more-tabs, .list-look";

document.addEventListener("flagboard:placed", (event) => {
  if (event.target.matches(MENUS)) equip(event.target);
});
for (const menu of document.querySelectorAll(MENUS)) equip(menu);
