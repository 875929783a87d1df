// Forms of hosted pages as they arrive. Whatever is missing is empty; nothing here decides anything.
import type { FastifyRequest } from 'fastify';
import { rawBody } from '../../request.ts';

export type Form = {
  readonly step: string;
  readonly token: string;
  readonly attemptNo: number;
  readonly country: string;
  readonly phone: string;
  /** LAST_WALLET: the number of the last attempt, which the page does not show in full. */
  readonly wallet: string;
  readonly amount: string;
  readonly offer: string;
  readonly code: string;
};

export const LAST_WALLET = 'last';

export const EMPTY_FORM: Form = {
  step: '',
  token: '',
  attemptNo: 0,
  country: '',
  phone: '',
  wallet: '',
  amount: '',
  offer: '',
  code: '',
};

/** No field that people fill in is longer. */
const TEXT_LENGTH_MAX = 100;

export function readForm(request: FastifyRequest): Form {
  const fields = new URLSearchParams(rawBody(request).toString());
  const text = (name: string) => (fields.get(name) ?? '').trim().slice(0, TEXT_LENGTH_MAX);
  return {
    step: text('step'),
    token: text('token'),
    attemptNo: Number(text('attempt')) || 0,
    country: text('country'),
    phone: text('phone'),
    wallet: text('wallet'),
    amount: text('amount'),
    offer: text('offer'),
    code: text('code'),
  };
}
