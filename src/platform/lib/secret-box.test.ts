import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretBox, secretBoxFrom, secretKey } from './secret-box.ts';

test('opens what it sealed, never twice the same bytes, and nothing that was touched or sealed elsewhere', () => {
  const box = secretBox(randomBytes(32));
  const sealed = box.seal('whsec_grüß');
  expect(box.open(sealed)).toBe('whsec_grüß');
  expect(box.seal('whsec_grüß').equals(sealed)).toBe(false);
  for (let i = 0; i < sealed.length; i++) {
    const touched = Buffer.from(sealed);
    touched[i]! ^= 1;
    expect(() => box.open(touched)).toThrow();
  }
  expect(() => secretBox(randomBytes(32)).open(sealed)).toThrow();
  for (let length = 0; length < sealed.length; length++)
    expect(() => box.open(sealed.subarray(0, length))).toThrow();
});

test('a key has a short id that is in what it sealed, and the missing one is named', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const [oldId, newId] = [secretKey(older).id, secretKey(newer).id];
  const before = secretBox(older).seal('before');
  expect([oldId, secretKey(Buffer.from(older)).id]).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/), oldId]);
  expect(before.subarray(1, 5).toString('hex')).toBe(oldId);

  const both = secretBox(newer, older);
  expect(both.keyIds()).toEqual([newId, oldId]);
  expect(both.open(before)).toBe('before');
  expect(both.seal('after').subarray(1, 5).toString('hex')).toBe(newId);
  expect(() => secretBox(newer).open(before)).toThrow(
    `this needs the secret key ${oldId}, but only ${newId} is configured: add it to FLORIN_SECRET_KEYS_OLD`,
  );
});

test('the id is part of what is sealed: a value cannot be passed off as another key’s', () => {
  const bytes = randomBytes(32);
  const sealed = secretBox(bytes).seal('x');
  const renamed = Buffer.from(sealed);
  renamed.fill(0, 1, 5);
  const source = () => [{ id: '00000000', bytes }];
  expect(() => secretBoxFrom(source).open(renamed)).toThrow(/unable to authenticate/i);
});

test('a key that was added meanwhile is found when it is first needed, and seals from then on', () => {
  let keys = [secretKey(randomBytes(32))];
  let known = keys;
  const box = secretBoxFrom((isFresh) => {
    if (isFresh) known = keys;
    return known;
  });
  box.seal('x');
  const added = randomBytes(32);
  keys = [secretKey(added), ...keys];
  expect(box.open(secretBox(added).seal('theirs'))).toBe('theirs');
  expect(box.seal('ours').subarray(1, 5).toString('hex')).toBe(secretKey(added).id);
});
