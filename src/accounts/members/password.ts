import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { badField } from '../../platform/lib/errors.ts';
import { isGuessedSoon } from './guessed-password.ts';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. Stored with each hash, so that they can grow. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 256;

/** Any characters will do, as long as the password is hard to guess. */
export async function checkPassword(field: string, password: string, email: string): Promise<void> {
  const given = normal(password);
  if (given.toLowerCase() === email) throw badField(field, 'must not be the e-mail address');
  if (new Set(given).size < 4) throw badField(field, 'must have at least four different characters');
  if (await isGuessedSoon(given, ['florin', email, ...email.split(/[@.]/)]))
    throw badField(field, 'must be harder to guess; a few words that do not belong together are fine');
}

/** Hashes into a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(
  password: string,
  { cost = COST, salt = randomBytes(SALT_BYTES) }: { cost?: Cost; salt?: Buffer | undefined } = {},
): Promise<string> {
  return written(cost, salt, await derive(password, salt, cost));
}

interface WithPassword {
  passwordHash: string | null;
}

/** Takes as long without a hash as with one. */
export async function passwordMatches(person: WithPassword, password: string): Promise<boolean> {
  return (await whosePassword([person], password)).length > 0;
}

/**
 * Finds the people among those given whose password it is, in the given order. Takes as long for nobody as for one, or
 * for several with the same salt, so that timing does not reveal which accounts exist. A hash that cannot be read, or
 * takes more work than ours, is nobody's: it keeps no one else with that e-mail address out.
 */
export async function whosePassword<Person extends WithPassword>(
  people: readonly Person[],
  password: string,
): Promise<Person[]> {
  const withHash = people.flatMap((person) => {
    const parsed = person.passwordHash === null ? undefined : parse(person.passwordHash);
    return parsed ? [{ person, ...parsed }] : [];
  });
  if (withHash.length === 0) await derive(password, NO_SALT, COST);
  const theirs = new Set<Person>();
  const keyOf = ({ cost, salt }: Parsed) => `${JSON.stringify(cost)} ${salt.toString('hex')}`;
  for (const group of Map.groupBy(withHash, keyOf).values()) {
    const tag = await derive(password, group[0]!.salt, group[0]!.cost);
    for (const each of group) if (timingSafeEqual(tag, each.tag)) theirs.add(each.person);
  }
  return people.filter((person) => theirs.has(person));
}

/** Salt of a hash at today's cost; undefined for any other. */
export function saltOf(stored: string | null): Buffer | undefined {
  return stored === null || isOutdated(stored) ? undefined : parse(stored)?.salt;
}

/** True if a hash was made at another cost than today's. */
export function isOutdated(stored: string): boolean {
  return JSON.stringify(parse(stored)?.cost) !== JSON.stringify(COST);
}

type Cost = typeof COST;

const NO_SALT = Buffer.alloc(SALT_BYTES);

interface Parsed {
  cost: Cost;
  salt: Buffer;
  tag: Buffer;
}

function written({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d{1,5}),t=(\d),p=(\d)\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{43})$/;

/** Undefined for what we have never written. The database refuses it too: members_password_hash_form. */
function parse(stored: string): Parsed | undefined {
  const [, memory, passes, parallelism, salt, tag] = FORM.exec(stored) ?? [];
  if (!tag) return undefined;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  if (!isAffordable(cost)) return undefined;
  return { cost, salt: Buffer.from(salt!, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** The least is what argon2 takes. */
function isAffordable({ memory, passes, parallelism }: Cost): boolean {
  return (
    memory >= 8 * parallelism &&
    memory <= COST.memory &&
    passes >= 1 &&
    passes <= COST.passes &&
    parallelism >= 1 &&
    parallelism <= COST.parallelism
  );
}

const argon2Async = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, tag: Buffer) => void) =>
    argon2('argon2id', parameters, done),
);

function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  return argon2Async({ ...cost, message: normal(password), nonce, tagLength: TAG_BYTES });
}

/** The same key pressed on two machines may arrive as different characters. */
function normal(password: string): string {
  return password.normalize('NFKC');
}
