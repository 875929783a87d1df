// Colours for people. They are added when a text is written to a terminal, so that columns are measured without them.
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Not beside "|" or ",": there a status is one of the choices in a usage line. */
const status = (names: string) => new RegExp(`(?<![|,])\\b(${names})\\b(?![|,])`, 'g');

const RULES: readonly (readonly [Format, RegExp])[] = [
  ['bold', /^(Usage|Commands|Groups of commands|Arguments|Options|Examples):/gm],
  ['cyan', /(?<=^ {2})--[a-z-]+/gm],
  ['red', /^(Error|malipo-server [a-z -]+):/gm],
  ['yellow', /^Warning:/gm],
  ['green', status('COMPLETED|OPERATIONAL|ACTIVE|CURRENT|ACKNOWLEDGED')],
  ['red', status('FAILED|REJECTED|CLOSED|SUSPENDED|REVOKED|ABANDONED|INVALID SIGNATURE')],
  ['yellow', status('ENQUEUED|PROCESSING|IN_RECONCILIATION|DELAYED|PENDING')],
  // As events and callbacks are listed: the word stands in a column of its own.
  ['green', /(?<= {2})(completed|verified|callback delivered)\b/g],
  ['red', /(?<= {2})(failed|callback failed)\b/g],
  ['yellow', /(?<= {2})(enqueued|processing|in reconciliation)\b/g],
];

/** Only where `stream` is a terminal with colours. NO_COLOR and FORCE_COLOR are respected. */
export function paint(text: string, stream: NodeJS.WritableStream): string {
  return RULES.reduce(
    (painted, [format, what]) =>
      painted.replaceAll(what, (found) => styleText(format, found, { stream, validateStream: true })),
    text,
  );
}
