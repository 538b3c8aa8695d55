/** What can be wrong with a payment, as the protocol names it. */
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

const BASE = 'https://paymentauth.org/problems/';

export function problem(kind: ProblemKind, detail: string): Problem {
  return { type: `${BASE}${kind}`, ...PROBLEMS[kind], detail };
}

export function isProblem(value: object): value is Problem {
  return 'title' in value && 'detail' in value;
}
