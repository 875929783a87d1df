// Money between bank and operators, and what operators charge: one of the host's people asks, another approves.
import type { FastifyInstance } from 'fastify';
import { describeRefusal, factsOfRefusal } from '../../../core/ledger/money-references.ts';
import { orderFloat } from '../../../core/ledger/move-float.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import type { FloatMovement } from '../../../domain/ledger/float-movement.ts';
import { parseReference } from '../../../domain/ledger/money-reference.ts';
import { parseSigned } from '../../../domain/money.ts';
import { floatMovementCalls } from '../../../wire/console/platform/float-movement.ts';
import { failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

export function registerFloatMovements(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-money');
  const { engine } = parts;
  route(
    'POST',
    '/host/float-movements',
    { for: 'HOST', permission: 'money:move', isDangerous: true },
    floatMovementCalls.requestFloatMovement,
    {
      summary: 'Request that money between bank and operator, or a charge of the operator, is posted',
      handle: async ({ body, user }) => {
        // Also in the sandbox, as with all money that people move in the dashboard.
        const order = { actor: user, secondApprover: 'REQUIRED', movement: requireMovement(body) } as const;
        const answer = await orderFloat(engine, order);
        if (answer.type === 'DONE' || answer.type === 'REQUESTED') return { outcome: answer.type };
        throw failureBecause('CONFLICT', answer.type, factsOfRefusal(answer), describeRefusal(answer));
      },
    },
  );
}

type Body = Pick<FloatMovement, 'type' | 'provider' | 'currency' | 'reference'> & { readonly amount: string };

function requireMovement(body: Body): FloatMovement {
  const { type, provider, currency } = body;
  const facts = findProvider(provider);
  if (facts?.currencies.some((one) => one.currency === currency) !== true)
    throw failureBecause('INVALID_INPUT', 'CURRENCY_NOT_OFFERED', { provider, currency });
  const reference = parseReference(body.reference);
  if (reference === null) throw failureBecause('INVALID_INPUT', 'REFERENCE_INVALID');
  const amount = parseSigned(body.amount);
  if (amount === 0n) throw failureBecause('INVALID_INPUT', 'AMOUNT_ZERO');
  if (amount < 0n && type !== 'OPERATOR_CHARGE') throw failureBecause('INVALID_INPUT', 'AMOUNT_NEGATIVE');
  return { type, provider, country: facts.country, currency, amount, reference };
}
