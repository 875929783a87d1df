// What a payer's form leads to. Only the steps "pay" and "again" start a payment, and the database decides that it
// starts once.
import type { FastifyRequest } from 'fastify';
import { orderPagePayment } from '../../../core/checkouts/create-page-payment.ts';
import { endCheckout } from '../../../core/checkouts/end-checkouts.ts';
import { isFormToken } from '../../../core/checkouts/page-code.ts';
import { stageOf } from '../../../core/checkouts/read-page.ts';
import type { Engine } from '../../../core/engine.ts';
import { keyOf } from '../../../core/payments/payment-request.ts';
import type { Initiator } from '../../initiator.ts';
import { nameSubjects } from '../../log-subjects.ts';
import { pageAddress, type PageKind } from '../addresses.ts';
import {
  amountOf,
  chosenCountry,
  hasNumber,
  listPayProblems,
  listProblems,
  parsePositive,
  readChoice,
  type Choice,
  type Problem,
} from './choice.ts';
import { readForm, type Form } from './form.ts';
import { renderAsk } from './render-ask.ts';
import { renderReview } from './render-review.ts';
import { addressOf, type Screen, type View } from './view.ts';

export type TakeContext = { readonly engine: Engine; readonly initiator: Initiator };

/** What a form leads to: an address to go to, or a screen. */
export async function takeForm(
  context: TakeContext,
  view: View,
  { request, kind }: { readonly request: FastifyRequest; readonly kind: PageKind },
): Promise<string | Screen> {
  const form = readForm(request);
  const { engine } = context;
  // An old form, from another window or the time before: the page says where the payment stands now.
  if (stageOf(view.page, view.now) !== 'OPEN' || form.attemptNo !== view.page.attemptNo)
    return addressOf(view);
  if (form.step === 'cancel' && isOurs(engine, form, view)) return cancel(context, view);
  const country = chosenCountry(view, form.country);
  if (country === null) return addressOf(view);
  const choice = readChoice(view, country, form, numbersOf(context));
  if (!isOurs(engine, form, view)) {
    return answerProblems(view, choice, form, [{ field: 'form', text: view.words.problems.form }]);
  }
  switch (form.step) {
    case 'pay':
    // With the number of the last attempt.
    case 'again':
      return pay(context, view, choice, {
        request,
        form,
        backUrl: pageAddress(engine, request, kind, codeOf(view)),
      });
    default:
      return answerProblems(view, choice, form, listProblems(choice, view));
  }
}

async function cancel({ engine }: TakeContext, view: View): Promise<string> {
  const { checkout } = view.page;
  if (checkout !== null) await endCheckout(engine, checkout, { type: 'CANCELLED_BY_PAYER' });
  return addressOf(view);
}

/** The last look where the number is good, else the question again. */
function answerProblems(view: View, choice: Choice, form: Form, problems: readonly Problem[]): Screen {
  const isAsking = problems.some(({ field }) => field === 'phone' || field === 'amount');
  if (!isAsking && hasNumber(choice)) return renderReview(view, choice, problems);
  return renderAsk(view, choice.country, { form, problems });
}

type Submitted = { readonly request: FastifyRequest; readonly form: Form; readonly backUrl: string };

async function pay(
  context: TakeContext,
  view: View,
  choice: Choice,
  { request, form, backUrl }: Submitted,
): Promise<string | Screen> {
  const problems = listPayProblems(choice, view);
  const { offer, code } = choice;
  const amountText = offer === null ? '' : amountOf(choice, offer);
  const amount = parsePositive(amountText);
  if (problems.length > 0 || offer === null || amount === null || !hasNumber(choice))
    return answerProblems(view, choice, form, problems);
  const { authType, code: provider } = offer.provider;
  const order = orderPagePayment(context.engine, view.page, {
    attemptNo: form.attemptNo,
    provider,
    currency: offer.currency.currency,
    phoneNumber: choice.phoneNumber,
    amount,
    amountText,
    ...(authType === 'PREAUTH' && { preAuthorisationCode: code }),
    ...(authType === 'REDIRECT_AUTH' && { backUrl }),
  });
  if (view.page.checkout !== null) nameSubjects(context.engine, request, [keyOf(order)]);
  const [answer] = await context.initiator([order]);
  const { problems: words } = view.words;
  switch (answer?.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return addressOf(authType === 'REDIRECT_AUTH' ? { ...view, path: `${view.path}/go` } : view);
    case 'REJECTED':
    case 'NOT_ALLOWED':
      // Another window was faster, or time ran out just now: the page knows.
      if (answer.reason.failureCode === 'INVALID_STATE') return addressOf(view);
      if (answer.reason.failureCode === 'TOO_MANY_PROMPTS')
        return answerProblems(view, choice, form, [{ field: 'form', text: words.prompts }]);
      // A limit, a blocked number, or deposits that were switched off: payers are not told which.
      if (answer.type === 'NOT_ALLOWED')
        return answerProblems(view, choice, form, [
          { field: 'form', text: words.notAllowed(view.page.merchant.companyName) },
        ]);
      return answerProblems(view, choice, form, [
        { field: 'offer', text: view.words.trouble(offer.provider.displayName) },
      ]);
    case 'UNKNOWN':
    case undefined:
      return answerProblems(view, choice, form, [{ field: 'form', text: words.unknown }]);
  }
}

export function numbersOf({ engine }: Pick<TakeContext, 'engine'>) {
  return { testNumbersAllowed: engine.environment === 'sandbox' };
}

function codeOf({ path }: View): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isOurs({ linkKeys }: Engine, { token }: Form, { path, page: { attemptNo } }: View): boolean {
  return isFormToken(linkKeys.formTokens, { path, attemptNo }, token);
}
