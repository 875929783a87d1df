// Dangerous acts want the password once more. The client asks here, and the dialog of the shell answers.

type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** Set by the dialog while it is there. */
export function answerConfirmationsWith(ask: Asker | null): void {
  asker = ask;
}

/** True when the person has confirmed. Several calls at once ask once. */
export async function askForConfirmation(): Promise<boolean> {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
