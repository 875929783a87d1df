// Takes our own notification and answer addresses out of what is recorded about an exchange. An operator may repeat
// them in its answers, also escaped, so they are found by their form and not by their value. Pure, and linear.

/** A slash can be written as it is, escaped for JSON, or as %2F. */
const ADDRESS =
  /((?:\\?\/|%2f)operators(?:\\?\/|%2f))[\w-]{1,60}(?:\\?\/|%2f)(?:notifications|answers)(?:[^\s"'<>&\\]|\\\/)*/gi;

export function redactAddresses(text: string): string {
  return text.replace(ADDRESS, '$1…');
}
