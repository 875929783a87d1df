// Makes a screenshot small: Chromium writes 24 bits per pixel with weak compression. Pages have few colours, so 256 are
// enough; every other colour becomes the nearest of these.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const COLOURS_MAX = 256;

/** Indistinguishable colours count as one: each channel is reduced to this many steps. */
const STEP = 4;

type Picture = {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel, line after line. */
  readonly dots: Buffer;
};

export function reducePng(png: Buffer): Buffer {
  const picture = readPicture(png);
  const palette = choosePalette(picture.dots);
  return writePicture(picture, palette);
}

function readPicture(png: Buffer): Picture {
  const chunks = readChunks(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  // 8 bits per channel, with or without transparency, as browsers write.
  const channels = header[9] === 6 ? 4 : 3;
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const lines = unfilter(inflateSync(Buffer.concat(packed)), { width, height, channels });
  return { width, height, dots: channels === 3 ? lines : withoutAlpha(lines) };
}

function readChunks(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

type Shape = { readonly width: number; readonly height: number; readonly channels: number };

/** Each line starts with the number of its filter. */
function unfilter(raw: Buffer, { width, height, channels }: Shape): Buffer {
  const length = width * channels;
  const lines = Buffer.alloc(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (length + 1)] ?? 0;
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < channels ? 0 : (lines[at - channels] ?? 0);
      const up = y === 0 ? 0 : (lines[at - length] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (lines[at - length - channels] ?? 0);
      const value = raw[y * (length + 1) + 1 + x] ?? 0;
      lines[at] = (value + predict(filter, { left, up, corner })) & 255;
    }
  }
  return lines;
}

type Neighbours = { readonly left: number; readonly up: number; readonly corner: number };

function predict(filter: number, { left, up, corner }: Neighbours): number {
  if (filter < 3) return [0, left, up][filter] ?? 0;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const distances = [left, up, corner].map((value) => Math.abs(guess - value));
  return [left, up, corner][distances.indexOf(Math.min(...distances))] ?? 0;
}

function withoutAlpha(dots: Buffer): Buffer {
  const kept = Buffer.alloc((dots.length / 4) * 3);
  for (let from = 0, to = 0; from < dots.length; from += 4, to += 3) dots.copy(kept, to, from, from + 3);
  return kept;
}

/** The most frequent ones. */
function choosePalette(dots: Buffer): readonly number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < dots.length; at += 3) {
    const colour = coarse(dots.readUIntBE(at, 3));
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one);
  return frequent.slice(0, COLOURS_MAX).map(([colour]) => colour);
}

function coarse(colour: number): number {
  const [red, green, blue] = split(colour).map((value) => Math.min(255, Math.round(value / STEP) * STEP));
  return ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0);
}

function split(colour: number): readonly number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function writePicture({ width, height, dots }: Picture, palette: readonly number[]): Buffer {
  const nearest = nearestIn(palette);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + 1 + x] = nearest(coarse(dots.readUIntBE((y * width + x) * 3, 3)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(split))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Caches results: a picture has many pixels and few colours. */
function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, index) => [colour, index]));
  return (colour) => {
    const found = known.get(colour) ?? findNearest(palette, colour);
    known.set(colour, found);
    return found;
  };
}

function findNearest(palette: readonly number[], colour: number): number {
  const wanted = split(colour);
  const distances = palette.map((candidate) =>
    split(candidate).reduce((sum, value, index) => sum + (value - (wanted[index] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
