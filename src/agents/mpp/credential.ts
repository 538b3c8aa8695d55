import { isSignature } from '../../platform/lib/base58.ts';
import { type Json, parseJson } from '../../platform/lib/json.ts';
import { type Problem, problem } from './problem.ts';
import { type Challenge, type Credential, INTENT, METHOD, type Proof } from './protocol.ts';

const SCHEME = /^Payment +([\w-]+)=*$/i;

/** True if a request pays by this protocol. Other schemes may be present too. */
export function hasCredential(authorization: string | undefined): boolean {
  return paymentsIn(authorization).length > 0;
}

function paymentsIn(authorization = ''): string[] {
  return authorization
    .split(',')
    .map((scheme) => scheme.trim())
    .filter((scheme) => /^Payment\b/i.test(scheme));
}

/** Reads `Authorization: Payment …`. Whether the challenge is ours is not known yet. */
export function readCredential(authorization: string): Credential | Problem {
  const [first, ...more] = paymentsIn(authorization);
  const token = SCHEME.exec(first ?? '')?.[1];
  if (token === undefined || more.length > 0)
    return malformed('The credential must be one token in base64url.');
  const value = decode(token);
  if (!isObject(value)) return malformed('The credential must be a JSON object.');
  const challenge = readChallenge(value.challenge);
  if (!challenge) return malformed('The challenge is incomplete.');
  if (challenge.method !== METHOD || challenge.intent !== INTENT)
    return problem('method-unsupported', `Only ${METHOD}/${INTENT} is offered here.`);
  const proof = readProof(value.payload);
  return proof ? { challenge, proof } : problem('invalid-payload', PAYLOAD);
}

/** Returns the proof by which a client pays or has paid, whatever else is wrong with what it sent. */
export function proofIn(authorization: string): Proof | undefined {
  for (const payment of paymentsIn(authorization)) {
    const value = decode(SCHEME.exec(payment)?.[1] ?? '');
    const proof = isObject(value) ? readProof(value.payload) : undefined;
    if (proof) return proof;
  }
  return undefined;
}

const PAYLOAD =
  'The payload must have the type "transaction" with a transaction in base64, or "signature" with a signature in base58.';

function malformed(reason: string): Problem {
  return problem('malformed-credential', reason);
}

/** JSON in base64url. */
function decode(token: string): Json | undefined {
  try {
    return parseJson(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TEXTS = ['id', 'realm', 'method', 'intent', 'request', 'expires'] as const;

/** Only the words that an id covers are kept. `opaque` comes as it was sent, in base64url, or, from older clients, decoded. */
function readChallenge(value: Json | undefined): Challenge | undefined {
  if (!isObject(value)) return undefined;
  const texts = TEXTS.map((name) => [name, value[name]] as const);
  if (texts.some(([, text]) => typeof text !== 'string')) return undefined;
  const opaque = typeof value.opaque === 'string' ? decode(value.opaque) : value.opaque;
  if (value.opaque !== undefined && !isObject(opaque)) return undefined;
  const order = isObject(opaque) ? opaque.order : undefined;
  if (order !== undefined && typeof order !== 'string') return undefined;
  return { ...Object.fromEntries(texts), ...(order !== undefined && { opaque: { order } }) } as Challenge;
}

/** Length of the longest transaction in base64. */
const MAX_TRANSACTION_CHARS = 1_644;

function readProof(value: Json | undefined): Proof | undefined {
  if (!isObject(value)) return undefined;
  const { type, transaction, signature } = value;
  if (
    type === 'transaction' &&
    typeof transaction === 'string' &&
    transaction.length <= MAX_TRANSACTION_CHARS
  )
    return { type, transaction };
  if (type === 'signature' && typeof signature === 'string' && isSignature(signature))
    return { type, signature };
  return undefined;
}
