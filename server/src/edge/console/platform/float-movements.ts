// Money between bank and operators, and what operators charge: one of the host's people asks, another approves.
import type { FastifyInstance } from 'fastify';
import { describeUse } from '../../../core/ledger/money-references.ts';
import { orderFloat } from '../../../core/ledger/move-float.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import type { FloatMovement } from '../../../domain/ledger/float-movement.ts';
import { parseReference, REFERENCE_FORM } from '../../../domain/ledger/money-reference.ts';
import { parseSigned } from '../../../domain/money.ts';
import { floatMovementCalls } from '../../../wire/console/platform/float-movement.ts';
import { ConsoleFailure } from '../failure.ts';
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
        throw new ConsoleFailure('CONFLICT', describeUse(answer));
      },
    },
  );
}

type Body = Pick<FloatMovement, 'type' | 'provider' | 'currency' | 'reference'> & { readonly amount: string };

function requireMovement(body: Body): FloatMovement {
  const { type, provider, currency } = body;
  const facts = findProvider(provider);
  if (facts?.currencies.some((one) => one.currency === currency) !== true)
    throw new ConsoleFailure('INVALID_INPUT', 'provider: no provider with this code takes this currency.');
  const reference = parseReference(body.reference);
  if (reference === null) throw new ConsoleFailure('INVALID_INPUT', `reference: ${REFERENCE_FORM}.`);
  const amount = parseSigned(body.amount);
  const isAllowed = amount > 0n || (amount < 0n && type === 'OPERATOR_CHARGE');
  if (!isAllowed)
    throw new ConsoleFailure('INVALID_INPUT', 'amount: must be above 0; only a charge can be below zero.');
  return { type, provider, country: facts.country, currency, amount, reference };
}
