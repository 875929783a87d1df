// Mails notices to merchants that named somebody to write to. A mail that cannot be sent is tried again for a day.
import type { Mailer } from '../../callbacks/mail.ts';
import { renderSwitchedOff } from '../../callbacks/notice-mail.ts';
import type { Engine } from '../../core/engine.ts';
import { inTimedTransaction } from '../../core/timed-transaction.ts';
import { addMs } from '../../domain/time.ts';
import {
  claimNoticesToMail,
  markMailed,
  openContactEmail,
  type NoticeToMail,
} from '../../store/callbacks/notices.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Background, Round } from '../loop.ts';

const AGAIN_AFTER_MS = 30 * 60_000;
const ATTEMPTS_MAX = 48;
const COUNT_MAX = 20;

export function createMailRound(engine: Engine, mailer: Mailer) {
  return async ({ onError }: Background): Promise<Round> => {
    const notices = await inTimedTransaction(engine, (tx, now) => {
      const againAt = addMs(now, AGAIN_AFTER_MS);
      return claimNoticesToMail(tx, { now, againAt, attemptsMax: ATTEMPTS_MAX, countMax: COUNT_MAX });
    });
    for (const notice of notices) await mail(engine, mailer, notice).catch(onError);
    return notices.length === COUNT_MAX ? 'MORE' : 'IDLE';
  };
}

async function mail(engine: Engine, mailer: Mailer, notice: NoticeToMail): Promise<void> {
  const { store } = engine;
  await loadDataKeys(store, [notice.merchantId]);
  await mailer.send({ to: openContactEmail(store.keyring, notice), ...renderSwitchedOff(notice) });
  await inTimedTransaction(engine, (tx, mailedAt) => markMailed(tx, notice, mailedAt));
}
