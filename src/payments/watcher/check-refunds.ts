import { firstAnswer } from '../../chain/nodes/chain-node.ts';
import { listFound, readFinalBlock, readLapseHeight } from '../../chain/nodes/lapse.ts';
import type { Finality } from '../../chain/solana/shapes.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { listTransfersOfRefunds, type RefundTransfer } from '../refunds/check-queries.ts';
import { listRefundsByRef } from '../refunds/queries.ts';
import type { Refund } from '../refunds/refund.ts';
import {
  claimDueRefundChecks,
  type LookedSending,
  scheduleRefundChecks,
  type WhichRefunds,
} from '../refunds/refund-checks.ts';
import { type FoundRefund, settleRefunds } from '../refunds/settle-refund.ts';
import { type Look, type LookStep, lookUpRefund } from './look-up-refund.ts';
import { mapSome } from './map-some.ts';
import { namedRefundsOnce } from './measure-refund.ts';
import type { WatchStep } from './read-account.ts';
import { readOnce } from './read-once.ts';

/** Maximum of lookups in one pass: about as many as fit into their lease if each takes few calls. */
const BATCH = 100;
const AT_ONCE = 16;
/** Maximum of signatures in one getSignatureStatuses call. */
const MAX_STATUSES = 256;

/**
 * Looks up the references of refunds whose turn it is; those of one transaction share what is read of it. Answers
 * whether more may be due.
 */
export async function checkRefunds(step: WatchStep, log: Logger, which: WhichRefunds): Promise<boolean> {
  const { db, now } = step;
  const { refs, leaseUntil } = await claimDueRefundChecks(db, which, now, BATCH);
  if (refs.length === 0) return false;
  const [refunds, transfers] = await Promise.all([
    listRefundsByRef(db, refs),
    listTransfersOfRefunds(db, refs),
  ]);
  const found = refunds.map((refund) => ({ refund, known: transfers.get(refund.id) ?? [] }));
  const sendings = await readSendings(step, refunds);
  const statuses = await readStatuses(step, found);
  const shared: LookStep = { ...step, read: readOnce(), named: namedRefundsOnce(db) };
  const looked = await mapSome(found, AT_ONCE, async ({ refund, known }) => {
    if (isUnderWay(known, statuses)) return underWay(refund);
    return lookUpRefund(shared, refund, known).then(
      (look) => ({ refund, ...look }),
      reportFailure(log, refund),
    );
  });
  const looks = await settleLooks(
    step,
    looked.filter((look) => look !== undefined),
    log,
  );
  const noted = looks.map((look) => ({ ...look, sending: sendings.get(look.refund.id)! }));
  await scheduleRefundChecks(db, leaseUntil, noted, now);
  return refs.length === BATCH;
}

/**
 * Reads what has become of the transactions that were prepared or sent for these, before they are looked up: what is not
 * found then is not there.
 */
async function readSendings(
  { quorum, now }: WatchStep,
  refunds: readonly Refund[],
): Promise<Map<string, LookedSending>> {
  const nodes = quorum.counting();
  const handedOut = refunds.filter(({ preparedUntil }) => preparedUntil !== null);
  const isNew = handedOut.some(({ lapsesAtHeight }) => lapsesAtHeight === null);
  const newest = isNew ? await readLapseHeight(nodes) : undefined;
  const old = handedOut.filter(
    ({ lapsesAtHeight, preparedUntil }) => lapsesAtHeight && preparedUntil! <= now,
  );
  const final = old.length > 0 ? await readFinalBlock(nodes) : undefined;
  const over = old.filter(({ lapsesAtHeight }) => final !== undefined && final.height > lapsesAtHeight!);
  const sent = over.flatMap(({ sentSignature }) => sentSignature ?? []);
  const there = sent.length > 0 ? await listFound(nodes, sent, final!) : new Set<string>();
  const hasLapsed = (refund: Refund) =>
    over.includes(refund) &&
    there !== undefined &&
    !(refund.sentSignature && there.has(refund.sentSignature));
  return new Map(
    refunds.map((refund) => {
      const { preparedAt, lapsesAtHeight } = refund;
      const height = lapsesAtHeight ?? (handedOut.includes(refund) ? newest : undefined) ?? null;
      return [refund.id, { preparedAt, isLapsed: hasLapsed(refund), lapsesAtHeight: height }];
    }),
  );
}

type Looked = Look & FoundRefund;

function underWay(refund: Refund): Looked {
  const { checkedSignature } = refund;
  return { refund, checkedSignature, isPending: true, findings: { transfers: [], gone: [] } };
}

/** The others have their turn all the same, and this one again when its lease is over. */
const reportFailure =
  (log: Logger, { id }: Refund) =>
  (error: unknown): undefined => {
    log.warn({ refund: id, err: error }, 'looking up a refund failed; retrying');
  };

const SETTLE_AT_ONCE = 4;
const MAX_TOGETHER = 20;

/** Books what was found, several refunds in one transaction; where that fails, each alone. */
async function settleLooks(step: WatchStep, looks: readonly Looked[], log: Logger): Promise<Looked[]> {
  const [news, others] = [looks.filter(isNews), looks.filter((look) => !isNews(look))];
  const settle = async (group: readonly Looked[]): Promise<Looked[]> => {
    const settled = await settleRefunds(step.db, group, step);
    if (settled.some(({ sequence }, i) => sequence !== group[i]!.refund.sequence)) step.wakeWebhooks();
    return group.map((look, i) => ({ ...look, refund: settled[i]! }));
  };
  const settleEach = async (group: readonly Looked[]) => {
    const alone: Looked[] = [];
    for (const look of group)
      alone.push(...((await settle([look]).catch(reportFailure(log, look.refund))) ?? []));
    return alone;
  };
  const settled = await mapSome(groupsOf(news), SETTLE_AT_ONCE, (group) =>
    group.length === 1 ? settleEach(group) : settle(group).catch(() => settleEach(group)),
  );
  return [...others, ...settled.flat()];
}

function isNews({ findings }: Looked): boolean {
  return findings.transfers.length > 0 || findings.gone.length > 0;
}

/** Groups lookups by merchant; two that are about the same money are never in one group. */
function groupsOf(looks: readonly Looked[]): Looked[][] {
  const groups: Looked[][] = [];
  for (const look of looks) {
    const group = groups.find(
      (each) =>
        each.length < MAX_TOGETHER &&
        each[0]!.refund.merchantId === look.refund.merchantId &&
        !each.some(({ refund }) => isSameMoney(refund, look.refund)),
    );
    if (group) group.push(look);
    else groups.push([look]);
  }
  return groups;
}

function isSameMoney(a: Refund, b: Refund): boolean {
  return (
    (a.paymentIntentId !== null && a.paymentIntentId === b.paymentIntentId) ||
    (a.exceptionId !== null && a.exceptionId === b.exceptionId)
  );
}

interface Found {
  refund: Refund;
  known: readonly RefundTransfer[];
}

/** Reads the finality of confirmed transfers, in one call for all; empty if no node can say. */
async function readStatuses(
  { quorum }: WatchStep,
  found: readonly Found[],
): Promise<ReadonlyMap<string, Finality>> {
  const pending = new Set(
    found.flatMap(({ known }) => known.filter(({ isFinal }) => !isFinal).map(({ signature }) => signature)),
  );
  const signatures = [...pending].slice(0, MAX_STATUSES);
  if (signatures.length === 0) return new Map();
  // Another node first each time: one that keeps back what is final cannot hold it up.
  const statuses = await firstAnswer(quorum.inTurn('finality of refunds'), (node) =>
    node.statusesOf(signatures),
  );
  return statuses?.statuses ?? new Map();
}

/** Confirmed, and neither final nor gone: there is nothing else to find out yet. */
function isUnderWay(known: readonly RefundTransfer[], statuses: ReadonlyMap<string, Finality>): boolean {
  const pending = known.filter(({ isFinal }) => !isFinal);
  return pending.length > 0 && pending.every(({ signature }) => statuses.get(signature) === 'confirmed');
}
