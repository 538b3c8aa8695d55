import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { hmacOf } from '../../platform/lib/hmac.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { PromisedIds, SaleLabels } from './sale.ts';

/** Everything that an offer promises. */
export interface SealedFacts {
  route: string;
  /** Reference of the intent that is created on payment. */
  reference: string;
  amount: string;
  payTo: string;
  asset: string;
  network: string;
  labels: SaleLabels;
}

export interface OpenedSeal {
  intentId: string;
  issuedAt: Date;
}

/** Makes offers that need no row: what comes back with a valid seal is what we offered. */
export interface Seals {
  seal(facts: SealedFacts, intentId: PromisedIds['intentId'], issuedAt: Date): string;
  /** Undefined where it is not ours, or not of these facts. */
  open(facts: SealedFacts, text: string): OpenedSeal | undefined;
}

const SEAL = /^([0-9a-z]{1,10})\.([0-9a-f-]{36})\.([\w-]{32})$/;
/** 24 bytes. */
const MAC_CHARS = 32;

export function offerSeals(secrets: SecretBox): Seals {
  return {
    seal(facts, intentId, issuedAt) {
      const [key] = secrets.derive('offers');
      const issued = issuedAt.getTime().toString(36);
      return `${issued}.${intentId}.${mac(key!, facts, intentId, issued)}`;
    },
    open(facts, text) {
      const match = SEAL.exec(text);
      if (!match) return undefined;
      const [, issued, intentId, given] = match as unknown as [string, string, string, string];
      const isOurs = secrets
        .derive('offers')
        .some((key) => timingSafeEqual(Buffer.from(mac(key, facts, intentId, issued)), Buffer.from(given)));
      return isOurs ? { intentId, issuedAt: new Date(Number.parseInt(issued, 36)) } : undefined;
    },
  };
}

function mac(key: KeyObject, { labels, ...facts }: SealedFacts, intentId: string, issued: string): string {
  const { route, reference, amount, payTo, asset, network } = facts;
  const { clientReferenceId, customerEmail } = labels;
  const said = JSON.stringify([
    ...[route, intentId, reference, amount, payTo, asset, network],
    ...[clientReferenceId, customerEmail, issued],
  ]);
  return hmacOf(key, said).slice(0, MAC_CHARS);
}
