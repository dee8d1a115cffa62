// Tells the server the browser's time zone, which the pages after this one tell times in unless another one is chosen.

import { toFlags } from "./addresses.js";

const NAME = "flagboard-zone";
const YEAR = 31536000;

const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
const kept = document.cookie.split("; ").find((each) => each.startsWith(`${NAME}=`));

if (zone !== "" && kept !== `${NAME}=${zone}`) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${NAME}=${zone}; Path=${toFlags}; SameSite=Strict; Max-Age=${YEAR}${secure}`;
}
