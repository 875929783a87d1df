// Badges for countries and providers: our own neutral drawings, made from their codes. Flags and trademarks belong to
// others; what these images are for is to tell the entries of a list apart.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../core/engine.ts';
import { findCountry, findProvider } from '../domain/operators/catalogue.ts';
import type { ArtworkUrls } from '../wire/v2/toolkit/active-configuration.ts';
import { requestFailure } from './request-failure.ts';

/** A month: a drawing changes with a release at most, and an old one does no harm. */
const KEPT_FOR_SECONDS = 2_592_000;

/** Anybody may look: the images are for pages that have no token. */
export function registerArtwork(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } };

  app.get('/artwork/flags/:file', hidden, async (request, reply) => {
    const country = findCountry(nameIn(request));
    if (country === null) throw requestFailure('ROUTE_NOT_FOUND', { cause: 'no such country' });
    return answer(reply, renderFlag(country.alpha3, country.displayName.en));
  });

  app.get('/artwork/providers/:file', hidden, async (request, reply) => {
    const provider = findProvider(nameIn(request));
    if (provider === null) throw requestFailure('ROUTE_NOT_FOUND', { cause: 'no such provider' });
    return answer(reply, renderLogo(provider.displayName, provider.country));
  });
}

/** Absolute, because they are shown on pages of the merchant: under the public address, else where the request came. */
export function artworkUrls(engine: Engine, { protocol, host }: FastifyRequest): ArtworkUrls {
  const base = engine.publicUrl ?? `${protocol}://${host}`;
  return {
    flagOf: (alpha3) => `${base}/artwork/flags/${alpha3}.svg`,
    logoOf: (provider) => `${base}/artwork/providers/${provider}.svg`,
  };
}

/** The name of the file without its ending; empty for another kind of file. */
function nameIn(request: FastifyRequest): string {
  const { file } = request.params as { readonly file: string };
  return /^(.+)\.svg$/.exec(file)?.[1] ?? '';
}

function answer(reply: FastifyReply, svg: string): FastifyReply {
  return reply
    .type('image/svg+xml')
    .header('cache-control', `public, max-age=${KEPT_FOR_SECONDS}`)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(svg);
}

function renderFlag(alpha3: string, name: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40" role="img" aria-label="${escapeXml(name)}">`,
    `<rect width="60" height="40" rx="4" fill="${colourOf(alpha3)}"/>`,
    writeText(alpha3, { x: 30, y: 26, size: 17 }),
    '</svg>',
  ].join('');
}

function renderLogo(name: string, country: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${escapeXml(name)}">`,
    `<rect width="64" height="64" rx="14" fill="${colourOf(name)}"/>`,
    writeText(initialsOf(name), { x: 32, y: 37, size: 22 }),
    writeText(country, { x: 32, y: 54, size: 10 }),
    '</svg>',
  ].join('');
}

function writeText(
  text: string,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
): string {
  const font = `font-family="sans-serif" font-weight="600" font-size="${size}"`;
  return `<text x="${x}" y="${y}" text-anchor="middle" fill="#fff" ${font}>${escapeXml(text)}</text>`;
}

/** "MTN" as it is, "M-Pesa" as "MP", "Orange" as "OR". */
function initialsOf(name: string): string {
  if (name.length <= 3) return name.toUpperCase();
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const initials = words.length > 1 ? words.map((word) => word.charAt(0)).join('') : name.slice(0, 2);
  return initials.slice(0, 3).toUpperCase();
}

/** One of many muted colours, dark enough for white text, and the same for the same name. */
function colourOf(name: string): string {
  const hue = Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 360, 7);
  return `hsl(${hue}, 25%, 38%)`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
