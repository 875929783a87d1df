// The simulated phone: pages on which a developer acts as a payer. They need no token, because a browser has none, and
// payers of the sandbox have no money.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ControlAnswer, SimulatorControl } from '../simulator/control-client.ts';
import type { Phone } from '../fakes/payers/phone.ts';
import { DECISIONS } from '../fakes/payers/prompts.ts';
import { WRONG_PIN } from '../fakes/payers/payers.ts';
import type { Engine } from '../../core/engine.ts';
import { findCountry, findProvider } from '../../domain/operators/catalogue.ts';
import { findInstructions } from '../../domain/checkouts/instructions.ts';
import { predictProvider } from '../../domain/operators/prediction.ts';
import { failureOf } from '../../edge/failure.ts';
import type { Look } from '../../edge/pages/look/look.ts';
import type { Document } from '../../edge/pages/page.ts';
import { renderPhone } from './render-phone.ts';
import { renderNoPhone, renderPhones } from './render-phones.ts';
import { PHONES_PATH, phonePath, type CodeMenu, type PhoneView } from './view.ts';
import { sendPage } from '../../edge/pages/send.ts';
import { rawBody } from '../../edge/request.ts';
import { requestFailure } from '../../edge/request-failure.ts';
import { requireSimulator } from '../control/answer.ts';
import { nameRequesters } from '../control/requesters.ts';

type PhoneContext = {
  readonly engine: Engine;
  readonly simulator: SimulatorControl | null;
  readonly look: Look;
};

export async function registerPhone(app: FastifyInstance, context: PhoneContext): Promise<void> {
  const hidden = { schema: { hide: true } };
  await app.register(async (pages) => {
    pages.setErrorHandler(failureAnswerer(context.look));
    pages.addHook('onRequest', async (request) => refuseForeignForms(request));
    pages.get(PHONES_PATH, hidden, async (request, reply) => answerPhones(context, request, reply));
    pages.get(`${PHONES_PATH}/:phoneNumber`, hidden, async (request, reply) =>
      sendPage(request, reply, await showPhone(context, request)),
    );
    pages.post(`${PHONES_PATH}/:phoneNumber/answer`, hidden, async (request, reply) => {
      await answerPrompt(context, request);
      return reply.redirect(phonePath(numberIn(request)), 303);
    });
    pages.post(`${PHONES_PATH}/:phoneNumber/code`, hidden, async (request, reply) =>
      reply.redirect(await createCode(context, request), 303),
    );
    pages.post(`${PHONES_PATH}/:phoneNumber/put-down`, hidden, async (request, reply) => {
      await requireSimulator(context.simulator).putPhoneDown(numberIn(request));
      return reply.redirect(PHONES_PATH, 303);
    });
  });
}

async function answerPhones({ simulator, look }: PhoneContext, request: FastifyRequest, reply: FastifyReply) {
  const { number } = request.query as { readonly number?: unknown };
  if (typeof number === 'string') return reply.redirect(phonePath(number.replace(/\D/g, '')), 303);
  const phones = requireAnswer(await requireSimulator(simulator).listPhones());
  return sendPage(request, reply, renderPhones(look, phones));
}

async function showPhone(
  { engine, simulator, look }: PhoneContext,
  request: FastifyRequest,
): Promise<Document> {
  const phone = requireAnswer(await requireSimulator(simulator).lookAtPhone(numberIn(request)));
  return renderPhone(look, {
    ...menuAndNetworkOf(phone),
    phone,
    now: await engine.clock.timeOf(engine.store.database),
    prompts: await nameRequesters(engine, phone.prompts),
    ...menuIn(request),
  });
}

/** The network's name, and its menu for codes where it has one. */
function menuAndNetworkOf({
  phoneNumber,
  prompts,
  messages,
}: Phone): Pick<PhoneView, 'network' | 'codeMenu'> {
  const known = prompts[0]?.provider ?? messages[0]?.provider;
  const predicted = predictProvider(phoneNumber, { testNumbersAllowed: true });
  const provider = findProvider(known ?? (predicted.type === 'PREDICTED' ? predicted.provider : ''));
  if (provider === null) return { network: 'No network', codeMenu: null };
  const country = findCountry(provider.country)?.alpha2 ?? provider.country;
  // Short, as phones show it.
  return { network: `${provider.displayName} ${country}`, codeMenu: codeMenuOf(provider.code) };
}

function codeMenuOf(code: string): CodeMenu | null {
  const provider = findProvider(code);
  const currency = provider?.currencies[0]?.currency;
  if (provider?.authType !== 'PREAUTH' || currency === undefined) return null;
  const shortCode = findInstructions(code, currency)?.channels[0]?.variables['shortCode'];
  return shortCode === undefined ? null : { provider: code, currency, shortCode };
}

function menuIn(request: FastifyRequest): Pick<PhoneView, 'isMenuOpen' | 'menuFault'> {
  const { menu, wrong } = request.query as { readonly menu?: unknown; readonly wrong?: unknown };
  return { isMenuOpen: menu === 'code', menuFault: wrong === 'amount' || wrong === 'pin' ? wrong : null };
}

/** A prompt that has ended meanwhile needs no answer: the next page shows its outcome. */
async function answerPrompt({ simulator }: PhoneContext, request: FastifyRequest): Promise<void> {
  const form = formOf(request);
  const decision = DECISIONS.find((one) => one === form.get('decision'));
  if (decision === undefined) throw requestFailure('INVALID_INPUT', { cause: 'it holds no decision' });
  const pin = form.get('pin') ?? '';
  // Too few digits are not a PIN: the phone asks again, and the operator does not see it.
  if (decision === 'APPROVE' && !isPin(pin)) return;
  await requireSimulator(simulator).answerPrompt(form.get('promptId') ?? '', { decision, pin });
}

/** The next page: the message with the code, or the menu with its error. */
async function createCode({ simulator }: PhoneContext, request: FastifyRequest): Promise<string> {
  const control = requireSimulator(simulator);
  const phoneNumber = numberIn(request);
  const form = formOf(request);
  const menu = menuAndNetworkOf(requireAnswer(await control.lookAtPhone(phoneNumber))).codeMenu;
  if (menu === null) throw requestFailure('INVALID_INPUT', { cause: 'this number needs no codes' });
  const pin = form.get('pin') ?? '';
  if (!isPin(pin) || pin === WRONG_PIN) return `${phonePath(phoneNumber)}?menu=code&wrong=pin`;
  const { provider, currency } = menu;
  const amount = (form.get('amount') ?? '').trim();
  const made = await control.makeCode({ phoneNumber, provider, currency, amount });
  return made.type === 'REFUSED'
    ? `${phonePath(phoneNumber)}?menu=code&wrong=amount`
    : phonePath(phoneNumber);
}

function isPin(text: string): boolean {
  return /^\d{4}$/.test(text);
}

function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(rawBody(request).toString('utf8'));
}

function numberIn(request: FastifyRequest): string {
  const { phoneNumber } = request.params as { readonly phoneNumber: string };
  if (/^\d{5,15}$/.test(phoneNumber)) return phoneNumber;
  throw requestFailure('ROUTE_NOT_FOUND', { cause: 'a phone number has 5 to 15 digits' });
}

function requireAnswer<Value>(answer: ControlAnswer<Value>): Value {
  if (answer.type === 'DONE') return answer.value;
  throw requestFailure('SERVICE_UNAVAILABLE');
}

/** A form on another site must not act as a payer. Browsers send the origin of a request. */
function refuseForeignForms(request: FastifyRequest): void {
  const from = request.headers['sec-fetch-site'];
  if (request.method !== 'POST' || from === undefined || from === 'same-origin') return;
  throw requestFailure('INVALID_INPUT', { cause: 'the form was sent by another site' });
}

function failureAnswerer(look: Look) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { httpStatus, reason } = failureOf(error, request);
    reply.code(httpStatus);
    await sendPage(request, reply, renderNoPhone(look, reason.failureMessage));
  };
}
