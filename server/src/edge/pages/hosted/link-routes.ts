// Payment links, under /link. Looking at one starts nothing, because previews of messages look at it too; pressing the
// button opens a checkout of its own, however often the form is sent.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../../core/engine.ts';
import { isPageCode } from '../../../core/checkouts/page-code.ts';
import {
  findLink,
  openLinkCheckout,
  statusOfLink,
  type FoundLink,
} from '../../../core/checkouts/visit-link.ts';
import { isUuid } from '../../../domain/identifier.ts';
import { drawPaymentNo } from '../../../store/timed-uuid.ts';
import { rawBody } from '../../request.ts';
import { orUnavailable, rateLimited, requestFailure } from '../../request-failure.ts';
import { linkAddress, pageAddress, publicAddress } from '../addresses.ts';
import { sendAsset } from '../send.ts';
import { chosenLanguage, languageFor, wordsIn } from './language.ts';
import { findLogo } from './merchant-look.ts';
import { renderLink, renderLinkOver } from './render-link.ts';
import type { Send } from './routes.ts';
import { addressOf, type Framed } from './view.ts';

export function registerLinks(app: FastifyInstance, engine: Engine, send: Send): void {
  const hidden = { schema: { hide: true } };
  app.get('/link/:code', hidden, async (request, reply) => {
    const found = await findLink(engine, codeOf(request));
    if (found === null) return send(request, reply, { view: null, screen: null });
    const view = frame(found, request);
    if (!(await isActive(engine, found))) return send(request, reply, { view, screen: renderLinkOver(view) });
    const { checkoutCode = '' } = request.query as { readonly checkoutCode?: string };
    const earlier = isPageCode(checkoutCode) ? `/checkout/${checkoutCode}` : null;
    return send(request, reply, {
      view,
      screen: renderLink(view, found.link, { visit: randomUUID(), earlier }),
    });
  });
  app.post('/link/:code', hidden, (request, reply) =>
    orUnavailable(() => visit(engine, send, request, reply)),
  );
  app.get('/link/:code/logo/:hash', hidden, async (request, reply) => {
    const found = await findLink(engine, codeOf(request));
    const { hash } = request.params as { readonly hash: string };
    const logo = found === null ? null : await findLogo(engine, found.merchant, hash);
    if (logo === null) return send(request, reply, { view: null, screen: null });
    return sendAsset(request, reply, logo);
  });
}

async function visit(engine: Engine, send: Send, request: FastifyRequest, reply: FastifyReply) {
  const found = await findLink(engine, codeOf(request));
  if (found === null) return send(request, reply, { view: null, screen: null });
  const view = frame(found, request);
  if (!(await isActive(engine, found))) return send(request, reply, { view, screen: renderLinkOver(view) });
  const drawn = new URLSearchParams(rawBody(request).toString()).get('visit') ?? '';
  // A form that is not ours: the page has one.
  if (!isUuid(drawn)) return reply.redirect(addressOf(view), 303);
  // Everyone shares a link's rate, as everyone shares the link: a flood of checkouts ends here.
  const waitMs = engine.pageLimiter.waitMsOf(`link/${found.link.linkId}`);
  if (waitMs > 0) throw rateLimited(waitMs, 'for this link');
  const answer = await openLinkCheckout(engine, {
    ...found,
    visit: drawn.toLowerCase(),
    paymentNo: drawPaymentNo(),
    apiVersion: 'v2',
    linkUrl: linkAddress(publicAddress(engine, request), found.link.code),
    addressOf: (code) => pageAddress(engine, request, 'checkout', code),
  });
  switch (answer.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return reply.redirect(addressOf({ ...view, path: `/checkout/${answer.order.code}` }), 303);
    case 'REJECTED':
    case 'NOT_ALLOWED':
      return send(request, reply, { view, screen: renderLinkOver(view) });
    case 'UNKNOWN':
      throw requestFailure('UNKNOWN_ERROR');
  }
}

function codeOf(request: FastifyRequest): string {
  return (request.params as { readonly code: string }).code;
}

async function isActive({ clock, store }: Engine, { link }: FoundLink): Promise<boolean> {
  return statusOfLink(link, await clock.timeOf(store.database)) === 'ACTIVE';
}

function frame({ link, merchant }: FoundLink, request: FastifyRequest): Framed {
  const language = languageFor(request);
  return {
    page: { merchant },
    path: `/link/${link.code}`,
    language,
    isChosen: chosenLanguage(request) !== null,
    words: wordsIn(language),
  };
}
