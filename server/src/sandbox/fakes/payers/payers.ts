// Payers that a person plays: whose phone is in use, which prompts were ignored, how many wrong PINs were entered. Kept
// in memory.

/** A closed page releases its phone after this time; an open one reloads every second or two, or every minute. */
const HELD_FOR_MS = 120_000;

/** The time a person may take on an operator's own page, which does not reload. */
const PAGE_OPEN_FOR_MS = 15 * 60_000;

/** Any other four digits are correct: payers of the sandbox have no accounts. */
export const WRONG_PIN = '0000';

/** As with most operators. */
export const WRONG_PINS_MAX = 3;

export class Payers {
  readonly #heldUntilMs = new Map<string, number>();
  readonly #wrongPins = new Map<string, number>();
  readonly #ignoredUntil = new Map<string, Date>();
  readonly #realTimeMs: () => number;

  /** Uses real time, even if the simulator's clock is moved. */
  constructor(realTimeMs: () => number = () => performance.now()) {
    this.#realTimeMs = realTimeMs;
  }

  /** A phone by its number. */
  pickUp(name: string): void {
    this.#heldUntilMs.set(name, this.#realTimeMs() + HELD_FOR_MS);
  }

  /** The operator's own page of one payment was opened. */
  openPage(transactionId: string): void {
    this.#heldUntilMs.set(transactionId, this.#realTimeMs() + PAGE_OPEN_FOR_MS);
  }

  putDown(name: string): void {
    this.#heldUntilMs.delete(name);
  }

  isHeld(name: string): boolean {
    return this.#realTimeMs() < (this.#heldUntilMs.get(name) ?? 0);
  }

  /** The number of tries left. */
  typeWrongPin(reference: string): number {
    const count = this.wrongPins(reference) + 1;
    this.#wrongPins.set(reference, count);
    return WRONG_PINS_MAX - count;
  }

  wrongPins(reference: string): number {
    return this.#wrongPins.get(reference) ?? 0;
  }

  ignore(reference: string, until: Date): void {
    this.#ignoredUntil.set(reference, until);
  }

  /** When the operator times out; null if the payer has not ignored the prompt. */
  ignoredUntil(reference: string): Date | null {
    return this.#ignoredUntil.get(reference) ?? null;
  }
}
