/** Problems that a payment can have, by the protocol's names. */
const PROBLEMS = {
  'payment-required': { title: 'Payment Required', status: 402 },
  'malformed-credential': { title: 'Malformed Credential', status: 402 },
  'invalid-challenge': { title: 'Invalid Challenge', status: 402 },
  'payment-expired': { title: 'Payment Expired', status: 402 },
  'invalid-payload': { title: 'Invalid Payload', status: 402 },
  'verification-failed': { title: 'Verification Failed', status: 402 },
  'payment-insufficient': { title: 'Payment Insufficient', status: 402 },
  'method-unsupported': { title: 'Method Unsupported', status: 400 },
} as const;

export type ProblemKind = keyof typeof PROBLEMS;

/** The body of an answer with `application/problem+json` (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
}

/** True if the network never accepted the payment: paying once more is right. */
export function wasNeverAccepted({ type }: Problem): boolean {
  return type === `${BASE}payment-expired`;
}

/** Problem of a client that has paid, which a 402 would make pay again. */
export interface PaidInVain extends Problem {
  /** The transaction's signature. */
  transaction: string;
  /** Amount that arrived at this seller, in base units; absent while the network does not show it. */
  amount?: string;
}

const BASE = 'https://paymentauth.org/problems/';

export function problem(kind: ProblemKind, detail: string): Problem {
  return { type: `${BASE}${kind}`, ...PROBLEMS[kind], detail };
}

export function isProblem(value: object): value is Problem {
  return 'title' in value && 'detail' in value;
}
