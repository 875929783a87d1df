// The answer to an action on a payment: resending its callback, cancelling it while it is enqueued.
import { Type } from 'typebox';
import type { FailureReason } from '../../domain/failure.ts';
import { failureReasonSchema } from './failure.ts';
import type { ExampleValues } from './failure-example.ts';
import { exampleIdentifier, type IdentifierSchema } from './identifier.ts';

/** How messages name the payment of an example: `payoutId` is the identifier of a "Payout". */
export function namesOf(idName: string, idSchema: IdentifierSchema): ExampleValues {
  const noun = idName.replace(/Id$/, '');
  return { kind: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`, id: exampleIdentifier(idSchema) };
}

export type Action =
  | { readonly type: 'ACCEPTED' }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason };

export function actionSchema(idName: string, idSchema: IdentifierSchema) {
  return Type.Object(
    {
      [idName]: idSchema,
      status: Type.Enum(['ACCEPTED', 'REJECTED'], {
        type: 'string',
        description: 'ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given.',
      }),
      failureReason: Type.Optional(
        failureReasonSchema(['NOT_FOUND', 'INVALID_STATE'], namesOf(idName, idSchema)),
      ),
    },
    { description: 'Check `status`: an action answered 200 can still be rejected.' },
  );
}

/** `writtenId` is the identifier as written in this request. */
export function renderAction(
  idName: string,
  writtenId: string,
  action: Action,
): Readonly<Record<string, string | FailureReason>> {
  const { type: status } = action;
  switch (action.type) {
    case 'ACCEPTED':
      return { [idName]: writtenId, status };
    case 'REJECTED':
      return { [idName]: writtenId, status, failureReason: action.reason };
  }
}
