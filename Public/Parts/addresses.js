// Where scripts find what they ask for or lead to: the addresses that the page itself was made with.

export const { toFlags, toFlag, toFlagByKey, toHistory, toHelp, toEvents, toApiFlags } = document.body.dataset;
