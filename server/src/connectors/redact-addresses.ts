// Takes our own notification and answer addresses out of what is recorded about an exchange. An operator may repeat
// them in its answers, also escaped, so they are found by their form and not by their value. Pure, and linear.

const SLASH = String.raw`(?:\\?/|%2[fF])`;

const ADDRESS = new RegExp(
  `(${SLASH}operators${SLASH})[\\w-]{1,60}${SLASH}(?:notifications|answers)(?:[^\\s"'<>&\\\\]|\\\\/)*`,
  'g',
);

export function redactAddresses(text: string): string {
  return text.replace(ADDRESS, '$1…');
}
