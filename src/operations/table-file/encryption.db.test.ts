import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { describe, expect, test } from 'vitest';
import { BACKUP_AT, backupOf, inPieces, rewritten } from '../../../test/support/backups.ts';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { requireTool } from '../../../test/support/debian.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { fillTables, listFilledTables, readTables } from '../../../test/support/rows.ts';
import { backup } from '../backup/backup.ts';
import { restore } from '../backup/restore.ts';
import { verifyBackup } from '../backup/verify.ts';
import { decrypted, type Encryption, encryption, type Unlocking, unlocking } from './encryption.ts';

const source = await testDatabase();
await fillTables(source);
const before = await readTables(source);
const plain = await backupOf(source);

const [identity, otherIdentity] = [await generateX25519Identity(), await generateX25519Identity()];
const [recipient, otherRecipient] = [
  await identityToRecipient(identity),
  await identityToRecipient(otherIdentity),
];
const KEY = unlocking([`# created by a test\n\n${identity}\n`], undefined);
const OTHER_KEY = unlocking([otherIdentity], undefined);
const NOTHING = unlocking([], undefined);

async function encryptedBackup(how: Encryption): Promise<Buffer> {
  const file = new PassThrough();
  const [bytes] = await Promise.all([
    buffer(file),
    backup(source, file, BACKUP_AT, undefined, encryption(how)),
  ]);
  return bytes;
}

const file = await encryptedBackup({ recipients: [recipient, otherRecipient] });
const verify = (bytes: Buffer, unlock: Unlocking) => verifyBackup(decrypted(inPieces(bytes), unlock));

/** All of the header, both ends of the rest, and some in between. */
function positionsIn(bytes: Buffer): number[] {
  const step = Math.ceil(bytes.length / 60);
  const headerEnd = bytes.indexOf('\n---') + 70;
  return [...bytes.keys()].filter((i) => i < headerEnd || i >= bytes.length - 20 || i % step === 0);
}

describe('an encrypted backup', () => {
  test('is restored by any of its recipients, and gives nothing of the rows away', async () => {
    for (const unlock of [KEY, OTHER_KEY]) {
      const db = await testDatabase({ template: 'template0' });
      const summary = await restore(db, decrypted(inPieces(file), unlock));
      expect(await readTables(db)).toEqual(before);
      expect(await verify(file, unlock)).toEqual(summary);
    }
    expect(file.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(file.includes(plain.subarray(0, 3))).toBe(false);
  });

  test('is refused with a reason when the key is missing, another, or not a key', async () => {
    const db = await testDatabase({ template: 'template0' });
    const stranger = unlocking([await generateX25519Identity()], undefined);
    const passphrase = unlocking([], 'guess');
    const cases: [Unlocking, string][] = [
      [NOTHING, 'this backup is encrypted: give --identity <file> or --passphrase-file <file>'],
      [stranger, 'none of the identities given opens this backup'],
      [passphrase, 'the passphrase does not open this backup'],
    ];
    for (const [unlock, reason] of cases) {
      await expect(restore(db, decrypted(inPieces(file), unlock))).rejects.toThrow(reason);
      await expect(verify(file, unlock)).rejects.toThrow(reason);
    }
    expect(await db.query(`select to_regclass('schema_migrations') as name`)).toEqual([{ name: null }]);
    expect(() => encryption({ recipients: ['nobody'] })).toThrow('must be an age public key');
    const typo = `${identity.slice(0, -1)}${identity.endsWith('Q') ? 'P' : 'Q'}`;
    for (const text of [typo, 'age1abc', recipient]) {
      expect(() => unlocking([text], undefined)).toThrow(
        /^an identity file must contain lines that start with/,
      );
    }
    expect(() => unlocking(['# nothing\n'], undefined)).toThrow('the identity file holds no identity');
  });

  test('cut short anywhere, it is refused and nothing of it stays', async () => {
    const db = await testDatabase();
    for (const cut of positionsIn(file)) {
      const short = file.subarray(0, cut);
      await expect(verify(short, KEY), `cut at ${cut}`).rejects.toThrow(/cut short|damaged/);
    }
    for (const cut of [0, 10, 300, Math.floor(file.length / 2), file.length - 1]) {
      const input = decrypted(inPieces(file.subarray(0, cut)), KEY);
      await expect(restore(db, input)).rejects.toThrow(/cut short|damaged/);
      expect(await listFilledTables(db)).toEqual([]);
    }
  });

  test('with any byte another, it is refused and nothing of it stays', async () => {
    const db = await testDatabase();
    const flippedAt = (i: number) => {
      const flipped = Buffer.from(file);
      flipped[i] = ~flipped[i]! & 0xff;
      return flipped;
    };
    for (const i of positionsIn(file)) {
      await expect(verify(flippedAt(i), KEY), `byte ${i}`).rejects.toThrow(/damaged/);
    }
    for (const i of [30, 300, Math.floor(file.length / 2), file.length - 1]) {
      await expect(restore(db, decrypted(inPieces(flippedAt(i)), KEY))).rejects.toThrow(/damaged/);
      expect(await listFilledTables(db)).toEqual([]);
    }
  });

  test('chunks cannot be left out, repeated or swapped, and nothing may follow', async () => {
    const rows = Buffer.alloc(300_000, 'x');
    const inner = rewritten(plain, (bytes) => bytes);
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    const long = Buffer.from(await encrypter.encrypt(Buffer.concat([inner, rows])));
    const start =
      long.length - (inner.length + rows.length) - 16 * Math.ceil((inner.length + rows.length) / 65_536);
    const at = (n: number) => start + n * 65_552;
    const piece = (n: number) => long.subarray(at(n), at(n + 1));
    const head = long.subarray(0, start);
    for (const tampered of [
      Buffer.concat([head, long.subarray(at(1))]),
      Buffer.concat([head, piece(1), piece(0), long.subarray(at(2))]),
      Buffer.concat([head, piece(0), piece(0), long.subarray(at(1))]),
      long.subarray(0, at(1)),
      Buffer.concat([long, Buffer.from('more')]),
    ]) {
      const read = buffer(decrypted(Readable.from([tampered]), KEY));
      await expect(read).rejects.toThrow();
    }
    await expect(verify(Buffer.concat([file, file]), KEY)).rejects.toThrow(/damaged/);
  });

  test('a passphrase opens what it encrypted, and no other does', async () => {
    const sealed = await encryptedBackup({ passphrase: 'correct horse battery staple' });
    const summary = await verify(sealed, unlocking([], 'correct horse battery staple'));
    expect(summary.tables).toBe(Object.keys(before).length);
    await expect(verify(sealed, unlocking([], 'correct horse'))).rejects.toThrow(
      'the passphrase does not open this backup',
    );
    await expect(verify(sealed, KEY)).rejects.toThrow('none of the identities given opens this backup');
  });

  test('post-quantum recipients work too', async () => {
    const hybrid = await generateHybridIdentity();
    const sealed = await encryptedBackup({ recipients: [await identityToRecipient(hybrid)] });
    expect((await verify(sealed, unlocking([hybrid], undefined))).rows).toBeGreaterThan(0);
  });
});

test('a backup that is not encrypted is read as it is, whatever key is given', async () => {
  expect(await verify(plain, NOTHING)).toEqual(await verify(plain, KEY));
});

test('age itself opens our backups, and we open what age encrypted', async () => {
  requireTool('age');
  const folder = await temporaryFolder(cleanUp);
  const [keyFile, ours, opened, theirs] = ['id.txt', 'ours.age', 'opened', 'theirs.age'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  writeFileSync(keyFile, `${identity}\n`);
  writeFileSync(ours, file);
  execFileSync('age', ['--decrypt', '-i', keyFile, '-o', opened, ours]);
  expect(await verifyBackup(inPieces(readFileSync(opened)))).toEqual(await verify(file, KEY));
  execFileSync('age', ['--encrypt', '-r', recipient, '-o', theirs, opened]);
  expect(await verify(readFileSync(theirs), KEY)).toEqual(await verify(file, KEY));
});

test('memory stays flat: what is encrypted and decrypted passes through chunk by chunk', async () => {
  const piece = Buffer.alloc(1 << 20, 7);
  let written = 0;
  let read = 0;
  let furthest = 0;
  const input = (async function* () {
    for (let i = 0; i < 64; i++) {
      written += piece.length;
      furthest = Math.max(furthest, written - read);
      yield piece;
    }
  })();
  const sealed = encryption({ recipients: [recipient] })(input);
  for await (const chunk of decrypted(Readable.from(sealed, { objectMode: false }), KEY))
    read += chunk.length;
  expect(read).toBe(64 << 20);
  expect(furthest).toBeLessThan(8 << 20);
});
