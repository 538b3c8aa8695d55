import { randomFillSync } from 'node:crypto';
import { randomPlace, randomPool } from './random.ts';

const hex = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

let lastMs = -1;
let lastTime = '';
let counter = 0;

/**
 * A UUID v7 that carries `at`. Ids made by one process in the same millisecond keep their order (the 12
 * bits after the version count up), so sorting by id is sorting by creation.
 */
export function newId(at: Date): string {
  const ms = at.getTime();
  if (ms === lastMs) counter = (counter + 1) & 0xfff;
  else {
    counter = 0;
    lastMs = ms;
    lastTime = timeText(ms);
  }
  const place = randomPlace(8);
  const r = (i: number) => randomPool[place + i]!;
  return (
    `${lastTime}-7${(counter | 0x1000).toString(16).slice(1)}-` +
    `${hex[(r(0) & 0x3f) | 0x80]}${hex[r(1)]}-${hex[r(2)]}${hex[r(3)]}${hex[r(4)]}${hex[r(5)]}${hex[r(6)]}${hex[r(7)]}`
  );
}

function timeText(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** The time that a v7 id carries. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** The smallest v7 id that can carry `at`: the lower bound of a range of ids by time. */
export function firstIdAt(at: Date): string {
  return `${timeText(Math.max(0, at.getTime()))}-0000-0000-000000000000`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Unbiased: bytes of 248 and above are discarded, because 256 is not a multiple of 62. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const bytes = randomFillSync(new Uint8Array(length));
    for (const byte of bytes) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text;
}
