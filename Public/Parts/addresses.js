// The addresses that scripts fetch or lead to, as the page was made with them.

export const { toFlags, toFlag, toFlagByKey, toHistory, toHelp, toFavourites, toEvents, toApiFlags } = document.body.dataset;

/** An address as forms send it: within the dashboard, without the path that an app serves it below. */
export const within = (address) => address.slice(toFlags.length - 1);

/** An address that a form holds, as a browser asks for it. */
export const asked = (address) => toFlags.slice(0, -1) + address;
