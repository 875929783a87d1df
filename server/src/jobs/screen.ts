// Asks the platform's screening service about payments that wait for its answer, several at once.
import type { Engine } from '../core/engine.ts';
import { aboutPayment } from '../core/payment-log.ts';
import type { AskScreening } from '../core/reviews/ask-screening.ts';
import { endCoolingOffs, screenPayment, takeUnscreened } from '../core/reviews/screen-payments.ts';
import type { ScreeningSettings } from '../domain/limits/screening.ts';
import type { Background, Round } from './loop.ts';

type ScreenOptions = Pick<ScreeningSettings, 'deadlineMs' | 'atOnceMax'> & { readonly ask: AskScreening };

export function createScreenRound(engine: Engine, { ask, deadlineMs, atOnceMax }: ScreenOptions) {
  let inFlight = 0;
  const screen = async (review: Parameters<typeof screenPayment>[1]) => {
    try {
      await aboutPayment(review, () => screenPayment(engine, review, ask));
    } finally {
      inFlight -= 1;
    }
  };
  return async (background: Background): Promise<Round> => {
    const countMax = atOnceMax - inFlight;
    if (countMax <= 0) return 'IDLE';
    const taken = await takeUnscreened(engine, { countMax, deadlineMs });
    inFlight += taken.length;
    for (const review of taken) background.run(() => screen(review));
    return taken.length > 0 && taken.length === countMax ? 'MORE' : 'IDLE';
  };
}

const COUNT_MAX = 100;

/** Where no service is configured, what is to be screened gets what is configured for no answer. */
export function createReviewRound(engine: Engine, hasScreening: boolean) {
  return async ({ onError }: Background): Promise<Round> => {
    const ended = await endCoolingOffs(engine, { countMax: COUNT_MAX, onError });
    if (hasScreening) return ended === COUNT_MAX ? 'MORE' : 'IDLE';
    const taken = await takeUnscreened(engine, { countMax: COUNT_MAX, deadlineMs: 0 });
    for (const review of taken) await screenPayment(engine, review, async () => null).catch(onError);
    return taken.length === COUNT_MAX ? 'MORE' : 'IDLE';
  };
}
