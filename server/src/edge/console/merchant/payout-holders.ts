// Who a payout would reach, for people who prepare or approve it: of the payout in the form, or of one in a batch that
// waits. There is no such call in the merchants' API: a token could find out the names of any numbers.
import type { FastifyInstance } from 'fastify';
import { createRateLimiter } from '../../../core/access/rate-limit.ts';
import {
  lookUpRowHolder,
  lookUpWrittenHolder,
  type FoundHolder,
} from '../../../core/payout-batches/look-up-holder.ts';
import { payoutHolderCalls } from '../../../wire/console/merchant/payout-holder.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, requireMerchant, type ConsoleParts, type SignedInUser } from '../route.ts';
import { failureOf } from './payouts.ts';

/** Everyone who may approve payouts may prepare them, too. */
const PREPARE = { for: 'MERCHANT', permission: 'payouts:prepare' } as const;

/** Of one person: two pages of a batch at once, then ten a minute. Somebody who collects names needs thousands. */
const LOOK_UPS = { perSecond: 1 / 6, burst: 100 };

export function registerPayoutHolders(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payouts');
  const { engine } = parts;
  const lookUps = createRateLimiter(engine.wallClock, LOOK_UPS);
  const actorOf = ({ personId, by }: SignedInUser) => {
    if (lookUps.waitMsOf(personId) > 0) throw new ConsoleFailure('TOO_MANY_TRIES');
    return { personId, by };
  };
  route('POST', '/merchants/:merchantId/payouts/holder', PREPARE, payoutHolderCalls.lookUpPayoutHolder, {
    summary: 'The masked name of the account that a payout would reach; asking is recorded',
    handle: async ({ path, body, user }) => {
      const merchant = await requireMerchant(parts, path.merchantId);
      const written = { ...body, provider: body.provider ?? null };
      const found = await lookUpWrittenHolder(engine, { merchant, written, actor: actorOf(user) });
      if (found.type === 'FAULT')
        throw failureBecause('INVALID_INPUT', 'INVALID_PARAMETER', { parameter: found.column });
      return render(found);
    },
  });
  const batch = '/merchants/:merchantId/payout-batches/:batchId/holder';
  route('POST', batch, PREPARE, payoutHolderCalls.lookUpBatchHolder, {
    summary:
      'The masked name of the account that a payout of a waiting batch would reach; asking is recorded',
    handle: async ({ path, body, user }) => {
      const found = await lookUpRowHolder(engine, { ...path, rowNo: body.row, actor: actorOf(user) });
      if (found.type !== 'ASKED') throw failureOf(found);
      return render(found);
    },
  });
}

function render(found: FoundHolder) {
  return show(found, 'status', 'name');
}
