import { expect, test } from 'vitest';
import { WireError, WireReader } from './wire-reader.ts';

const compact = (...bytes: number[]) => new WireReader(Buffer.from(bytes)).compactU16();

test('a length has one way to be written', () => {
  expect(compact(0)).toBe(0);
  expect(compact(0x7f)).toBe(127);
  expect(compact(0x80, 0x01)).toBe(128);
  expect(compact(0xff, 0xff, 0x03)).toBe(65_535);
  for (const bytes of [[0x80, 0x00], [0x80, 0x80, 0x00], [0xff, 0xff, 0x04], [0xff, 0xff, 0x83], [0x80], []])
    expect(() => compact(...bytes), bytes.join()).toThrow(WireError);
});

test('bytes are neither missing nor left over', () => {
  const reader = new WireReader(Buffer.of(1, 2, 3));
  expect(reader.u8()).toBe(1);
  expect(() => reader.u32()).toThrow(WireError);
  expect(() => reader.end()).toThrow(/left over/);
  expect(reader.u16()).toBe(0x0302);
  reader.end();
});
