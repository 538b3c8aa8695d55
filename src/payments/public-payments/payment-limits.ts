import type { Intent } from '../../intents/intent.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { FairBuckets } from '../../platform/limits/fair-buckets.ts';
import { InFlight } from '../../platform/limits/in-flight.ts';
import { NetworkBuckets } from '../../platform/limits/network-buckets.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { Newcomers } from '../../platform/limits/newcomers.ts';
import {
  type BucketRule,
  type LimitResult,
  refusal,
  TokenBuckets,
} from '../../platform/limits/token-buckets.ts';

/** Somebody without a key who hands in a payment, for as long as one request takes. */
export interface Caller {
  /** Absent for somebody with a key. */
  ip?: string;
  /** Takes a turn before a node is asked about the payment: counts against the client alone, once. */
  requireTurn(): void;
  /** A node has shown that the money is there: the client's turn was not in vain, and is given back. */
  notePaid(): void;
  /** The same, and what follows counts against the wallet, and then what the merchant and everybody share; once. */
  requireRoom(payer: string, merchantId: string): void;
}

export interface PaymentLimits {
  /** A wallet that signs on a page. */
  wallet(ip: string, intent: Intent): Caller;
  /** A program, which may buy again and again. */
  program(ip: string): Caller;
  /** While a program waits for its payment, it keeps a request open. */
  holdOpen<Result>(ip: string, work: () => Promise<Result>): Promise<Result>;
  /** True if we may ask a node whether a fee can be paid. Beyond the limit, payers pay their own fee. */
  mayLook(ip: string, intent: Intent): boolean;
}

interface Rates {
  /** Payments without money behind them that a client hands in. */
  ofClient: BucketRule;
  /** Payments that have money behind them. */
  ofFunded: BucketRule;
  ofPayer: BucketRule;
}

const OF_CLIENT = { perSecond: 2, burst: 20 };
/** A wallet that only signs is in one place; several people may be behind one address. */
const OF_CLIENT_AND_INTENT = { perSecond: 0.2, burst: 5 };
const WALLETS: Rates = { ofClient: OF_CLIENT, ofFunded: OF_CLIENT, ofPayer: { perSecond: 0.5, burst: 10 } };
const PROGRAMS: Rates = {
  ofClient: { perSecond: 2, burst: 40 },
  ofFunded: { perSecond: 10, burst: 100 },
  ofPayer: { perSecond: 5, burst: 60 },
};
const OF_MERCHANT = { perSecond: 10, burst: 40 };
const OF_ALL = { perSecond: 40, burst: 160 };

/** A key has limits of its own. */
export const WITH_KEY: Caller = { requireTurn() {}, notePaid() {}, requireRoom() {} };

/**
 * Each payment that is handed in costs calls to a node, and those that detect payments must not be used up. Anybody can sign
 * transactions without money behind them, so these count against nobody but their sender.
 */
export function paymentLimits(isLimited: boolean): PaymentLimits {
  const ofIntents = new TokenBuckets(OF_CLIENT_AND_INTENT, 'wallets and intents');
  const shared = isLimited ? sharedRoom('payments') : undefined;
  const [walletOf, programOf] = [callers('wallets', WALLETS, shared), callers('programs', PROGRAMS, shared)];
  const inFlight = new InFlight();
  const lookers = new NetworkBuckets(OF_CLIENT, 'looks');
  const [newLookers, looks] = [new Newcomers('looks'), sharedRoom('looks')];
  return {
    wallet(ip, { id }) {
      const caller = walletOf(ip);
      return {
        ...caller,
        requireTurn() {
          allow(ofIntents.take(`${networkOf(ip)} ${id}`, elapsedMs()));
          caller.requireTurn();
        },
      };
    },
    program: programOf,
    holdOpen: (ip, work) => (isLimited ? inFlight.run(ip, work) : work()),
    mayLook(ip, { merchantId }) {
      if (!isLimited) return true;
      if (!lookers.take(ip, elapsedMs()).allowed) return false;
      return looks(merchantId, newLookers.isNew(ip, elapsedMs())).allowed;
    },
  };
}

type Room = (merchantId: string, isNewcomer: boolean) => LimitResult;

function sharedRoom(subject: string): Room {
  const ofMerchants = new FairBuckets(OF_MERCHANT, `${subject} of merchants`);
  const ofAll = new FairBuckets(OF_ALL, `${subject} of all`);
  return (merchantId, isNewcomer) => {
    const own = ofMerchants.take(merchantId, elapsedMs(), isNewcomer);
    return own.allowed ? ofAll.take('all', elapsedMs(), isNewcomer) : own;
  };
}

function callers(subject: string, rates: Rates, room: Room | undefined): (ip: string) => Caller {
  if (!room) return (ip) => ({ ...WITH_KEY, ip });
  const ofClients = new NetworkBuckets(rates.ofClient, `${subject} of clients`);
  const ofFunded = new NetworkBuckets(rates.ofFunded, `${subject} with money`);
  const ofPayers = new TokenBuckets(rates.ofPayer, `${subject} of payers`);
  const newcomers = new Newcomers(subject);
  return (ip) => {
    let turn: 'none' | 'taken' | 'given back' = 'none';
    let hasRoom = false;
    const caller: Caller = {
      ip,
      requireTurn() {
        if (turn !== 'none') return;
        allow(ofClients.take(ip, elapsedMs()));
        turn = 'taken';
      },
      notePaid() {
        if (turn === 'taken') ofClients.give(ip, elapsedMs());
        turn = 'given back';
      },
      requireRoom(payer, merchantId) {
        caller.notePaid();
        if (hasRoom) return;
        allow(ofFunded.take(ip, elapsedMs()));
        allow(ofPayers.take(payer, elapsedMs()));
        allow(room(merchantId, newcomers.isNew(ip, elapsedMs())));
        hasRoom = true;
      },
    };
    return caller;
  };
}

function allow(result: LimitResult): void {
  if (!result.allowed) throw refusal(result);
}
