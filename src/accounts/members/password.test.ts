import { expect, test } from 'vitest';
import { checkPassword, hashPassword, isOutdated, passwordMatches, whosePassword } from './password.ts';

const CHEAP = { cost: { memory: 1_024, passes: 1, parallelism: 1 } };
const person = (passwordHash: string | null) => ({ passwordHash });

test('a hash carries its cost and a salt of its own, and matches its password alone', async () => {
  const [one, two] = [await hashPassword('correct horse', CHEAP), await hashPassword('correct horse', CHEAP)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwordMatches(person(one), 'correct horse')).toBe(true);
  for (const wrong of ['', 'correct hors', 'Correct horse', 'correct horse ']) {
    expect(await passwordMatches(person(one), wrong)).toBe(false);
  }
});

test('a known answer of argon2id', async () => {
  // From the tests of the reference implementation: 256 KiB, two passes.
  const known = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await passwordMatches(person(known), 'password')).toBe(true);
  expect(isOutdated(known)).toBe(true);
});

test('nobody has no password: not the empty one, nor that of whom we compare with instead', async () => {
  for (const password of ['', '\0', '\0'.repeat(32)]) {
    expect(await passwordMatches(person(null), password)).toBe(false);
    expect(await whosePassword([], password)).toEqual([]);
  }
});

test('of several people, those whose password it is, in their order, whether they share a salt or not', async () => {
  const salt = Buffer.from('sixteen bytes, ok');
  const hashes = await Promise.all([
    hashPassword('correct horse', { ...CHEAP, salt }),
    hashPassword('battery staple', { ...CHEAP, salt }),
    hashPassword('correct horse', CHEAP),
  ]);
  const people = [...hashes, null].map(person);
  expect(await whosePassword(people, 'correct horse')).toEqual([people[0], people[2]]);
  expect(await whosePassword(people, 'battery staple')).toEqual([people[1]]);
  expect(await whosePassword(people, 'neither of them')).toEqual([]);
});

test('what looks the same is the same: a letter with its accent, typed in one way or the other', async () => {
  const hash = await hashPassword('Caf\u00e9 au lait', CHEAP);
  expect(await passwordMatches(person(hash), 'Cafe\u0301 au lait')).toBe(true);
});

test('which characters is up to the member, but not the address, and nothing that is guessed soon', async () => {
  await expect(checkPassword('p', 'Ada@Shop.example', 'ada@shop.example')).rejects.toThrow('e-mail');
  await expect(checkPassword('p', '121212121212', 'a@b')).rejects.toThrow('different');
  for (const common of [
    'passwordpassword',
    'Password1234!',
    'P@ssw0rd1234',
    'qwertyuiop[]',
    '1q2w3e4r5t6y',
    '123456789012',
    'iloveyou1234',
    'abcdefghijklmnop',
    'Ada@Shop.example1',
    'florinflorin',
    'letmein'.repeat(4),
    'ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ',
  ]) {
    await expect(checkPassword('p', common, 'ada@shop.example'), common).rejects.toThrow('harder to guess');
  }
  for (const fine of [
    'correct horse',
    'my dog likes jam',
    'Kaffee um halb fünf',
    '昨日の雨はもう止んだそうです',
    'xK9$mq!vT2#z',
  ]) {
    await expect(checkPassword('p', fine, 'ada@shop.example'), fine).resolves.toBeUndefined();
  }
});

test.each([
  'garbage',
  '',
  `$argon2id$v=19$m=4194304,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  `$argon2id$v=19$m=99999,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  `$argon2id$v=19$m=19456,t=9,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  `$argon2id$v=19$m=1,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$AAAA`,
  `$argon2id$v=19$m=19456,t=2,p=1$AA$${'A'.repeat(43)}`,
])('somebody with the stored hash %j keeps nobody else out', async (passwordHash) => {
  const password = 'correct horse battery';
  const owner = { passwordHash: await hashPassword(password) };
  expect(await whosePassword([{ passwordHash }, owner], password)).toEqual([owner]);
  expect(await whosePassword([{ passwordHash }], password)).toEqual([]);
  expect(isOutdated(passwordHash)).toBe(true);
});
