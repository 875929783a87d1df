// A promise of the product that was not kept, in words a person understands.
import type { Kept } from './world.ts';

export class Violation extends Error {
  readonly about: Kept | null;

  constructor(promise: string, about: Kept | null = null) {
    super(promise);
    this.name = 'Violation';
    this.about = about;
  }
}

/** Throws unless the promise is kept. */
export function demand(isKept: boolean, promise: string, about: Kept | null = null): asserts isKept {
  if (!isKept) throw new Violation(promise, about);
}
