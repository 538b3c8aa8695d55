import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { findProductRow } from '../catalog/queries.ts';
import { type Discount, type Duration, discounts } from './discount.ts';

export interface CreateDiscount {
  merchantId: string;
  projectId: string;
  name: string;
  percentOff?: number | null;
  amountOffCents?: Cents | null;
  duration?: Duration;
  durationPeriods?: number | null;
  productIds?: string[] | null;
  startsAt?: Date | null;
  endsAt?: Date | null;
  maxRedemptions?: number | null;
  maxPerCustomer?: number | null;
  now: Date;
}

/** A new discount of a project. What it takes off, for how long and of what never changes. */
export async function createDiscount(tx: Tx, input: CreateDiscount): Promise<Discount> {
  const { merchantId, now } = input;
  const terms = termsOf(input);
  const project = await requireActiveProject(tx, { merchantId, id: input.projectId.toLowerCase() });
  const discount: Discount = {
    id: newId(now),
    merchantId,
    projectId: project.id,
    name: input.name,
    ...terms,
    productIds: await checkProducts(tx, input, project.id),
    maxRedemptions: input.maxRedemptions ?? null,
    maxPerCustomer: input.maxPerCustomer ?? null,
    redemptionsCount: 0,
    isActive: true,
    createdAt: now,
  };
  await discounts.insert(tx, discount);
  return discount;
}

function termsOf(input: CreateDiscount) {
  const { duration = 'once' } = input;
  const percentOff = input.percentOff ?? null;
  const amountOffCents = input.amountOffCents ?? null;
  const durationPeriods = input.durationPeriods ?? null;
  if (percentOff === null && amountOffCents === null) {
    throw badField('percentOff', 'or amountOffCents is required');
  }
  if (percentOff !== null && amountOffCents !== null) {
    throw badField('amountOffCents', 'cannot be combined with percentOff');
  }
  if (duration === 'periods' && durationPeriods === null) {
    throw badField('durationPeriods', 'is required for duration periods');
  }
  if (duration !== 'periods' && durationPeriods !== null) {
    throw badField('durationPeriods', 'is only for duration periods');
  }
  return {
    percentOffBps: percentOff === null ? null : toBps(percentOff),
    amountOffCents,
    duration,
    durationPeriods,
    ...checkTimes(input),
  };
}

/** 12.34 is 1234; the nearest double of a percentage with two decimals is close enough to tell. */
function toBps(percent: number): number {
  const bps = Math.round(percent * 100);
  if (Math.abs(percent * 100 - bps) > 1e-6 || bps < 1 || bps > 10_000) {
    throw badField('percentOff', 'must be from 0.01 to 100, with at most two decimals');
  }
  return bps;
}

export function checkTimes({ startsAt = null, endsAt = null }: Pick<CreateDiscount, 'startsAt' | 'endsAt'>) {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw badField('endsAt', 'must be after startsAt');
  }
  return { startsAt, endsAt };
}

async function checkProducts(
  tx: Tx,
  { merchantId, productIds = null }: CreateDiscount,
  projectId: string,
): Promise<string[] | null> {
  if (productIds === null) return null;
  const ids = [...new Set(productIds.map((id) => id.toLowerCase()))];
  for (const [at, id] of ids.entries()) {
    const product = await findProductRow(tx, { merchantId, id, projectId });
    if (!product) throw badField(`productIds.${at}`, 'must be the id of a product of this project');
  }
  return ids;
}
