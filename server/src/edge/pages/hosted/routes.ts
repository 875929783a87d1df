// The hosted pages: the payment page under /pay, checkouts under /checkout, payment links under /link. A page shows
// where its payment stands, whatever the payer did before; only one form starts a payment, and the database decides
// that it starts once.
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { OperationKey } from '../../../domain/payments/payment.ts';
import { nameSubjects } from '../../log-subjects.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../../core/engine.ts';
import { formToken } from '../../../core/checkouts/page-code.ts';
import { findPage, listPageOffers, stageOf, type HostedPage } from '../../../core/checkouts/read-page.ts';
import type { Initiator } from '../../initiator.ts';
import { clientAddressOf } from '../../client-address.ts';
import { failureOf } from '../../failure.ts';
import { orForward } from '../../cells/forward.ts';
import { orUnavailable, rateLimited } from '../../request-failure.ts';
import type { PageKind } from '../addresses.ts';
import { html } from '../html.ts';
import type { Look } from '../look/look.ts';
import { renderPage } from '../page.ts';
import { registerAssets, sendAsset, sendPage } from '../send.ts';
import { chosenCountry, hasNumber, readChoice, retryForm } from './choice.ts';
import { renderAsk, renderCountries, renderUnpayable } from './render-ask.ts';
import { renderFailed, renderInDoubt, renderNothing, renderOver, renderPaid } from './render-end.ts';
import { renderReview } from './render-review.ts';
import { renderGo, renderWait } from './render-wait.ts';
import { EMPTY_FORM } from './form.ts';
import { acceptedCountries, chosenLanguage, languageFor, wordsIn } from './language.ts';
import { registerLinks } from './link-routes.ts';
import { findLogo, lookOf } from './merchant-look.ts';
import { SCRIPT } from './script.ts';
import { HOSTED_STYLE } from './style.ts';
import { numbersOf, takeForm } from './take-form.ts';
import { addressOf, renderLanguages, isPhoneFixed, type Framed, type Screen, type View } from './view.ts';

export type HostedPagesOptions = { readonly look: Look; readonly initiator: Initiator };

export async function registerHostedPages(
  app: FastifyInstance,
  engine: Engine,
  options: HostedPagesOptions,
): Promise<void> {
  await app.register(async (pages) => {
    const context = { engine, ...options };
    const answerFailure = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { httpStatus, headers } = failureOf(error, request);
      const { notServed } = wordsIn(languageFor(request));
      await send(context, request, reply.code(httpStatus).headers(headers), {
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
    for (const kind of ['pay', 'checkout'] as const) registerKind(pages, context, kind);
    registerLinks(pages, engine, (...sent) => send(context, ...sent));
  });
}

/** A sandbox is opened by its own machine, and by tests that are in a hurry. */
function waitMsFor({ clientAddresses, environment, pageLimiter }: Engine, address: string): number {
  const isOwn = environment === 'sandbox' && (address === '::1' || address.startsWith('127.'));
  const client = isOwn ? null : clientAddresses.countedAs(address);
  return client === null ? 0 : pageLimiter.waitMsOf(client);
}

type Context = HostedPagesOptions & { readonly engine: Engine };

function registerKind(app: FastifyInstance, context: Context, kind: PageKind): void {
  const hidden = { schema: { hide: true } };
  app.get(`/${kind}/:code`, hidden, async (request, reply) => {
    const view = await findView(context.engine, request, kind);
    return send(context, request, reply, {
      view,
      screen: view === null ? null : renderStage(context, view, request),
    });
  });
  app.get(`/${kind}/:code/go`, hidden, async (request, reply) => {
    const view = await findView(context.engine, request, kind);
    const deposit = view?.page.deposit ?? null;
    if (view === null) return send(context, request, reply, { view, screen: null });
    const isRunning = stageOf(view.page, view.now) === 'RUNNING' && deposit?.state !== 'IN_RECONCILIATION';
    if (deposit === null || !isRunning) return reply.redirect(addressOf(view), 303);
    const url = deposit.details.authorizationUrl ?? null;
    const isSafe = url === null || /^https?:\/\//i.test(url);
    return send(context, request, reply, { view, screen: renderGo(view, deposit, isSafe ? url : null) });
  });
  app.get(`/${kind}/:code/logo/:hash`, hidden, async (request, reply) => {
    const { code, hash } = request.params as { readonly code: string; readonly hash: string };
    const page = await findPage(context.engine, { kind, code });
    const logo = page === null ? null : await findLogo(context.engine, page.merchant, hash);
    if (logo === null) return send(context, request, reply, { view: null, screen: null });
    return sendAsset(request, reply, logo);
  });
  // A form can be sent again: the database decides that its payment starts once.
  app.post(`/${kind}/:code`, hidden, (request, reply) =>
    orUnavailable(async () => {
      const view = await findView(context.engine, request, kind);
      if (view === null) return send(context, request, reply, { view, screen: null });
      const outcome = await takeForm(context, view, { request, kind });
      if (typeof outcome === 'string') return reply.redirect(outcome, 303);
      return send(context, request, reply, { view, screen: outcome });
    }),
  );
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
    words: wordsIn(language),
    likelyCountries: acceptedCountries(request),
    token: formToken(engine.linkKeys.formTokens, { path, attemptNo: page.attemptNo }),
    ...(await listPageOffers(engine, page)),
    now: await engine.clock.timeOf(engine.store.database),
  };
}

/** The deposit or checkout that the page is for, and the checkout's last attempt. */
function subjectsOf({ merchant, writtenId, deposit, checkout }: HostedPage): readonly OperationKey[] {
  const kind = checkout === null ? 'DEPOSIT' : 'CHECKOUT';
  const own = { merchantId: merchant.merchantId, kind, paymentId: canonicalIdentifier(writtenId) } as const;
  return checkout === null || deposit === null ? [own] : [own, deposit];
}

/** Where the payment stands. */
function renderStage(context: Context, view: View, request: FastifyRequest): Screen {
  const stage = stageOf(view.page, view.now);
  switch (stage) {
    case 'OPEN':
      return renderOpen(context, view, request);
    case 'RUNNING':
      if (view.page.deposit === null) return renderInDoubt(view, view.words.uncertain);
      return renderWait(view, view.page.deposit);
    case 'PAID':
      return renderPaid(view);
    case 'FAILED':
      return renderFailed(view);
    case 'DISPUTED':
      return renderInDoubt(view, view.words.disputed);
    case 'EXPIRED':
    case 'CANCELLED':
      return renderOver(view, stage);
  }
}

/** The first question that is open; where none is, or an attempt failed, the last look. */
function renderOpen(context: Context, view: View, request: FastifyRequest): Screen {
  if (view.offers.length === 0) return renderUnpayable(view);
  const { country: asked = '' } = request.query as { readonly country?: string };
  const country = asked === 'any' ? null : chosenCountry(view, asked);
  if (country === null) return renderCountries(view);
  const retry = asked === '' ? retryForm(view) : null;
  const choice = readChoice(view, country, retry ?? EMPTY_FORM, numbersOf(context));
  if (retry !== null && hasNumber(choice)) return renderReview(view, choice, []);
  const isAsked = choice.offers.some(({ amountText }) => amountText === null);
  if (isPhoneFixed(view) && !isAsked && hasNumber(choice)) return renderReview(view, choice, []);
  return renderAsk(view, country, { form: EMPTY_FORM, problems: [] });
}

export type Sent = { readonly view: Framed | null; readonly screen: Screen | null };
export type Send = (request: FastifyRequest, reply: FastifyReply, sent: Sent) => FastifyReply;

/** A page no one knows is 404, and says so in the browser's language. */
function send(
  { look, engine }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { view, screen }: Sent,
): FastifyReply {
  const language = view?.language ?? languageFor(request);
  const words = wordsIn(language);
  if (screen === null) reply.code(404);
  const { kept, ...rendered } = screen ?? renderNothing(words.unknownPage);
  const strip = engine.environment === 'sandbox' ? { strip: words.testMode } : {};
  const page = { language, script: SCRIPT, style: HOSTED_STYLE, ...strip, ...rendered };
  if (view === null) return sendPage(request, reply, renderPage(look, page));
  const { country = null } = request.query as { readonly country?: string | null };
  const onBand = renderLanguages(view, country, kept);
  const own = lookOf(look, view);
  const foot = own === look ? {} : { foot: html`<p>${words.hostedBy(look.name)}</p>` };
  return sendPage(request, reply, renderPage(own, { ...page, layout: 'SPLIT', onBand, ...foot }));
}
