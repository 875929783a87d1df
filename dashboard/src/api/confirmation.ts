// Dangerous acts want the password once more, or a new proof at the identity provider. The client asks here, and the
// dialog of the shell answers.

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

const CONFIRMED = 'malipo.confirmed';

/** Tells the window that asked. */
export function tellConfirmed(): void {
  localStorage.setItem(CONFIRMED, new Date().toISOString());
}

/** Calls back once another window has confirmed. Answers what ends the wait. */
export function onConfirmed(then: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === CONFIRMED) then();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
