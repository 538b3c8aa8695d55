import {
  ERRORS,
  type PaymentPayload,
  type PaymentRequirements,
  type Refusal,
  X402_VERSION,
} from './protocol.ts';

/** A transaction of 1,232 bytes, what was accepted and an id fit into less than half of it. */
const MAX_HEADER_LENGTH = 12_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MAX_TRANSACTION_LENGTH = 1_644;

/** Reads PAYMENT-SIGNATURE. Nothing of it is believed yet. */
export function readPaymentHeader(header: string): PaymentPayload | Refusal {
  if (header.length > MAX_HEADER_LENGTH) return malformed('PAYMENT-SIGNATURE is too long');
  if (!BASE64.test(header)) return malformed('PAYMENT-SIGNATURE must be base64');
  try {
    return readPayload(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
  } catch {
    return malformed('PAYMENT-SIGNATURE must contain JSON');
  }
}

/** The same for a payload that is JSON already. */
export function readPayload(value: unknown): PaymentPayload | Refusal {
  if (!isRecord(value)) return malformed('the payment payload must be an object');
  if (value.x402Version !== X402_VERSION)
    return { reason: ERRORS.version, message: 'Only x402 version 2 is supported.' };
  const accepted = readRequirements(value.accepted);
  if (!accepted) return malformed('accepted must be one of the offered payment requirements');
  const transaction = isRecord(value.payload) ? value.payload.transaction : undefined;
  if (typeof transaction !== 'string' || transaction.length > MAX_TRANSACTION_LENGTH)
    return malformed('payload.transaction must be a Solana transaction in base64');
  const paymentId = readPaymentId(value.extensions);
  if (paymentId === undefined)
    return malformed('a payment identifier must have 16 to 128 letters, digits, hyphens or underscores');
  return { accepted, transaction, paymentId };
}

/** Undefined where it is not of the protocol's form. */
export function readRequirements(value: unknown): PaymentRequirements | undefined {
  if (!isRecord(value)) return undefined;
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = value;
  const texts = [scheme, network, amount, asset, payTo];
  if (!texts.every((text) => typeof text === 'string' && text !== '' && text.length <= MAX_TEXT))
    return undefined;
  if (typeof maxTimeoutSeconds !== 'number' || !(maxTimeoutSeconds > 0)) return undefined;
  if (extra !== undefined && extra !== null && !isRecord(extra)) return undefined;
  const [a, b, c, d, e] = texts as [string, string, string, string, string];
  return { scheme: a, network: b, amount: c, asset: d, payTo: e, maxTimeoutSeconds, extra: extra ?? {} };
}

const MAX_TEXT = 256;

const PAYMENT_ID = /^[\w-]{16,128}$/;

/** Null: none was sent. Undefined: one that is not valid, which must not silently protect from nothing. */
function readPaymentId(extensions: unknown): string | null | undefined {
  const extension = isRecord(extensions) ? extensions['payment-identifier'] : undefined;
  const id = isRecord(extension) && isRecord(extension.info) ? extension.info.id : undefined;
  if (id === undefined || id === null) return null;
  return typeof id === 'string' && PAYMENT_ID.test(id) ? id : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string): Refusal {
  return { reason: ERRORS.payload, message };
}
