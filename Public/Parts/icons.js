// The icons of the pages, for what scripts add to them.

const SVG = "http://www.w3.org/2000/svg";
const SPRITE = new URL("icons.svg", import.meta.url);

/** A symbol of `icons.svg`, as templates show it. */
export function icon(symbol) {
  const image = document.createElementNS(SVG, "svg");
  image.setAttribute("class", "icon");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${SPRITE.pathname}#${symbol}`);
  image.append(use);
  return image;
}
