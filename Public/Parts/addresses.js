// The addresses that scripts fetch or lead to, as the page was made with them.

export const { toFlags, toFlag, toFlagByKey, toHistory, toHelp, toEvents, toApiFlags } = document.body.dataset;
