// The hosted pages: the payment page under /pay, checkouts under /checkout. A page shows where its payment stands,
// whatever the payer did before; only one form starts a payment, and the database decides that it starts once.
import { keyOf } from '../../../core/payments/payment-request.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { OperationKey } from '../../../domain/payments/payment.ts';
import { nameSubjects } from '../../log-subjects.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endCheckout } from '../../../core/checkouts/end-checkouts.ts';
import type { Engine } from '../../../core/engine.ts';
import { orderPagePayment } from '../../../core/checkouts/create-page-payment.ts';
import { formToken, isFormToken } from '../../../core/checkouts/page-code.ts';
import { findPage, listPageOffers, stageOf, type HostedPage } from '../../../core/checkouts/read-page.ts';
import type { Initiator } from '../../initiator.ts';
import { clientAddressOf } from '../../client-address.ts';
import { failureOf } from '../../failure.ts';
import { orForward } from '../../forward.ts';
import { rateLimited } from '../../request-failure.ts';
import { pageAddress, type PageKind } from '../addresses.ts';
import type { Look } from '../look/look.ts';
import { renderPage } from '../page.ts';
import { registerAssets, sendPage } from '../send.ts';
import {
  amountOf,
  chosenCountry,
  listPayProblems,
  listProblems,
  parsePositive,
  readChoice,
} from './choice.ts';
import type { Choice, Problem } from './choice.ts';
import { renderAsk, renderCountries, renderUnpayable } from './render-ask.ts';
import { renderFailed, renderNothing, renderOver, renderPaid } from './render-end.ts';
import { renderReview } from './render-review.ts';
import { renderGo, renderWait } from './render-wait.ts';
import { EMPTY_FORM, readForm, type Form } from './form.ts';
import { acceptedLanguage, chosenLanguage } from './language.ts';
import { SCRIPT } from './script.ts';
import { addressOf, renderLanguages, isPhoneFixed, type Screen, type View } from './view.ts';
import { WORDS } from './words.ts';

export type HostedPagesOptions = { readonly look: Look; readonly initiator: Initiator };

export async function registerHostedPages(
  app: FastifyInstance,
  engine: Engine,
  options: HostedPagesOptions,
): Promise<void> {
  await app.register(async (pages) => {
    const desk = { engine, ...options };
    const answerFailure = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { httpStatus, headers } = failureOf(error, request);
      const { notServed } = WORDS[languageFor(request)];
      await send(desk, request, reply.code(httpStatus).headers(headers), {
        view: null,
        screen: renderNothing(notServed),
      });
    };
    pages.setErrorHandler(orForward(engine, answerFailure));
    pages.addHook('onRequest', (request, _reply, done) => {
      const waitMs = waitMsFor(engine, clientAddressOf(engine, request));
      done(waitMs > 0 ? rateLimited(waitMs, 'from your address') : undefined);
    });
    registerAssets(pages, [SCRIPT]);
    for (const kind of ['pay', 'checkout'] as const) registerKind(pages, desk, kind);
  });
}

/** A sandbox is opened by its own machine, and by tests that are in a hurry. */
function waitMsFor({ clientAddresses, environment, pageLimiter }: Engine, address: string): number {
  const isOwn = environment === 'sandbox' && (address === '::1' || address.startsWith('127.'));
  const client = isOwn ? null : clientAddresses.countedAs(address);
  return client === null ? 0 : pageLimiter.waitMsOf(client);
}

type Desk = HostedPagesOptions & { readonly engine: Engine };

function registerKind(app: FastifyInstance, desk: Desk, kind: PageKind): void {
  const hidden = { schema: { hide: true } };
  app.get(`/${kind}/:code`, hidden, async (request, reply) => {
    const view = await findView(desk.engine, request, kind);
    return send(desk, request, reply, {
      view,
      screen: view === null ? null : renderStage(desk, view, request),
    });
  });
  app.get(`/${kind}/:code/go`, hidden, async (request, reply) => {
    const view = await findView(desk.engine, request, kind);
    const deposit = view?.page.deposit ?? null;
    if (view === null) return send(desk, request, reply, { view, screen: null });
    const isRunning = stageOf(view.page, view.now) === 'RUNNING' && deposit?.state !== 'IN_RECONCILIATION';
    if (deposit === null || !isRunning) return reply.redirect(addressOf(view), 303);
    const url = deposit.details.authorizationUrl ?? null;
    const isSafe = url === null || /^https?:\/\//i.test(url);
    return send(desk, request, reply, { view, screen: renderGo(view, deposit, isSafe ? url : null) });
  });
  app.post(`/${kind}/:code`, hidden, async (request, reply) => {
    const view = await findView(desk.engine, request, kind);
    if (view === null) return send(desk, request, reply, { view, screen: null });
    const outcome = await take(desk, view, { request, kind });
    if (typeof outcome === 'string') return reply.redirect(outcome, 303);
    return send(desk, request, reply, { view, screen: outcome });
  });
}

async function findView(engine: Engine, request: FastifyRequest, kind: PageKind): Promise<View | null> {
  const { code } = request.params as { readonly code: string };
  const page = await findPage(engine, { kind, code });
  if (page === null) return null;
  nameSubjects(engine, request, subjectsOf(page));
  const language = languageFor(request, page.order.language);
  const path = `/${kind}/${code}`;
  return {
    page,
    path,
    language,
    isChosen: chosenLanguage(request) !== null,
    words: WORDS[language],
    token: formToken(engine.linkKeys.formTokens, { path, attemptNo: page.attemptNo }),
    ...(await listPageOffers(engine, page)),
    now: engine.clock.now(),
  };
}

/** The deposit or checkout that the page is for, and the checkout's last attempt. */
function subjectsOf({ merchant, writtenId, deposit, checkout }: HostedPage): readonly OperationKey[] {
  const kind = checkout === null ? 'DEPOSIT' : 'CHECKOUT';
  const own = { merchantId: merchant.merchantId, kind, paymentId: canonicalIdentifier(writtenId) } as const;
  return checkout === null || deposit === null ? [own] : [own, deposit];
}

function languageFor(request: FastifyRequest, ofMerchant?: View['language']): View['language'] {
  return chosenLanguage(request) ?? ofMerchant ?? acceptedLanguage(request.headers['accept-language']);
}

/** Where the payment stands. */
function renderStage(desk: Desk, view: View, request: FastifyRequest): Screen {
  const stage = stageOf(view.page, view.now);
  switch (stage) {
    case 'OPEN':
      return renderOpen(desk, view, request);
    case 'RUNNING':
      return view.page.deposit === null ? renderOver(view, 'EXPIRED') : renderWait(view, view.page.deposit);
    case 'PAID':
      return renderPaid(view);
    case 'FAILED':
      return renderFailed(view);
    case 'EXPIRED':
    case 'CANCELLED':
      return renderOver(view, stage);
  }
}

/** The first question that is open; where the merchant left none, the last look. */
function renderOpen(desk: Desk, view: View, request: FastifyRequest): Screen {
  if (view.offers.length === 0) return renderUnpayable(view);
  const { country: asked = '' } = request.query as { readonly country?: string };
  const country = asked === 'any' ? null : chosenCountry(view, asked);
  if (country === null) return renderCountries(view);
  const choice = readChoice(view, country, EMPTY_FORM, numbersOf(desk));
  const isAsked = choice.offers.some(({ amountText }) => amountText === null);
  if (isPhoneFixed(view) && !isAsked && hasNumber(choice)) return renderReview(view, choice, []);
  return renderAsk(view, country, { form: EMPTY_FORM, problems: [] });
}

/** What a form leads to: an address to go to, or a screen. */
async function take(
  desk: Desk,
  view: View,
  { request, kind }: { readonly request: FastifyRequest; readonly kind: PageKind },
): Promise<string | Screen> {
  const form = readForm(request);
  const { engine } = desk;
  // An old form, from another window or the time before: the page says where the payment stands now.
  if (stageOf(view.page, view.now) !== 'OPEN' || form.attemptNo !== view.page.attemptNo)
    return addressOf(view);
  if (form.step === 'cancel' && isOurs(engine, form, view)) return cancel(desk, view);
  const country = chosenCountry(view, form.country);
  if (country === null) return addressOf(view);
  const choice = readChoice(view, country, form, numbersOf(desk));
  if (!isOurs(engine, form, view)) {
    return answerProblems(view, choice, form, [{ field: 'form', text: view.words.problems.form }]);
  }
  switch (form.step) {
    case 'pay':
      return pay(desk, view, choice, {
        request,
        form,
        backUrl: pageAddress(engine, request, kind, codeOf(view)),
      });
    default:
      return answerProblems(view, choice, form, listProblems(choice, view));
  }
}

async function cancel({ engine }: Desk, view: View): Promise<string> {
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
  desk: Desk,
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
  const order = orderPagePayment(desk.engine, view.page, {
    attemptNo: form.attemptNo,
    provider,
    currency: offer.currency.currency,
    phoneNumber: choice.phoneNumber,
    amount,
    amountText,
    ...(authType === 'PREAUTH' && { preAuthorisationCode: code }),
    ...(authType === 'REDIRECT_AUTH' && { backUrl }),
  });
  if (view.page.checkout !== null) nameSubjects(desk.engine, request, [keyOf(order)]);
  const [answer] = await desk.initiator([order]);
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
      return answerProblems(view, choice, form, [
        { field: 'offer', text: words.unavailable(offer.provider.displayName) },
      ]);
    case 'UNKNOWN':
    case undefined:
      return answerProblems(view, choice, form, [{ field: 'form', text: words.unknown }]);
  }
}

function hasNumber(choice: Choice): choice is Choice & { readonly phoneNumber: string } {
  return choice.phoneNumber !== null;
}

function numbersOf({ engine }: Desk) {
  return { testNumbersAllowed: engine.environment === 'sandbox' };
}

function codeOf({ path }: View): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isOurs({ linkKeys }: Engine, { token }: Form, { path, page: { attemptNo } }: View): boolean {
  return isFormToken(linkKeys.formTokens, { path, attemptNo }, token);
}

/**
 * The field for a one-time code is there for anyone who chooses the provider that wants one; old browsers always show
 * it. What is said of a request on the phone goes when a provider is chosen that sends none. It stands in every screen,
 * because scripts put one screen in the place of another.
 */
const STYLE =
  '@supports selector(:has(*)){.code{display:none}form:has([data-code]:checked) .code{display:block}' +
  'form:has([data-unprompted]:checked) .prompted{display:none}}';

/** A page no one knows is 404, and says so in the browser's language. */
function send(
  { look }: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  { view, screen }: { readonly view: View | null; readonly screen: Screen | null },
): FastifyReply {
  const language = view?.language ?? languageFor(request);
  if (screen === null) reply.code(404);
  const { kept, ...rendered } = screen ?? renderNothing(WORDS[language].unknownPage);
  const { country = null } = request.query as { readonly country?: string | null };
  const labels = { en: WORDS.en.languageName, fr: WORDS.fr.languageName };
  const foot = view === null ? {} : { foot: renderLanguages(view, country, labels, kept) };
  return sendPage(
    request,
    reply,
    renderPage(look, { language, script: SCRIPT, style: STYLE, ...rendered, ...foot }),
  );
}
