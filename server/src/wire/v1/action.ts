// Actions on a payment in API v1: resending its callback, cancelling it while it is enqueued.
import { Type } from 'typebox';
import { namesOf, type Action } from '../v2/action.ts';
import { exampleMessage } from '../v2/failure-example.ts';
import type { IdentifierSchema } from '../v2/identifier.ts';
import { translateMessage } from './words.ts';

/** The body that names the payment; for a cancellation the path may name it instead. */
export function actionRequestSchema(idName: string, idSchema: IdentifierSchema) {
  return Type.Object({ [idName]: idSchema }, { additionalProperties: false });
}

export function actionSchema(idName: string, idSchema: IdentifierSchema) {
  return Type.Object(
    {
      [idName]: idSchema,
      status: Type.Enum(['ACCEPTED', 'REJECTED', 'FAILED'], {
        type: 'string',
        description:
          'ACCEPTED: it is done or will be. REJECTED: nothing was done, for the reason given. FAILED is kept for ' +
          'clients that know it; a failure is answered with an error.',
      }),
      rejectionReason: Type.Optional(
        Type.String({
          description: 'Why it was rejected, for people.',
          examples: [exampleMessage('NOT_FOUND', namesOf(idName, idSchema))],
        }),
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
): Readonly<Record<string, string>> {
  const { type: status } = action;
  switch (action.type) {
    case 'ACCEPTED':
      return { [idName]: writtenId, status };
    case 'REJECTED':
      return { [idName]: writtenId, status, rejectionReason: translateMessage(action.reason.failureMessage) };
  }
}
