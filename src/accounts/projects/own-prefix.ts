import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { isSameSeller, type SellerIdentity } from '../parties/same-seller.ts';
import type { Project } from './project.ts';
import { listSellersOfPrefix, lockPrefixes } from './queries.ts';

/** Characters that the count leaves, of the 16 that a prefix may have. */
const ROOM = 12;

/**
 * No two invoices of one seller ever have the same number: a project gets a prefix that no other project of its seller
 * has, or has issued an invoice under. Changes of one merchant's projects wait for each other.
 */
export async function withOwnPrefix(tx: Tx, project: Project): Promise<Project> {
  const { seller, settings } = project;
  if (!seller) return project;
  const invoicePrefix = await ownPrefix(tx, project, seller, settings.invoicePrefix);
  return { ...project, settings: { ...settings, invoicePrefix } };
}

/** The wanted prefix, or the next with a count that is no other project's of the seller. Until the commit, nobody takes it. */
export async function ownPrefix(
  tx: Tx,
  project: Ref,
  seller: SellerIdentity,
  wanted: string,
): Promise<string> {
  await lockPrefixes(tx, project.merchantId);
  let own = wanted;
  for (let count = 2; await isTaken(tx, project, seller, own); count++)
    own = `${wanted.slice(0, ROOM)}${count}`;
  return own;
}

/** Refuses a prefix that the caller chose, or that invoices already have, where it is another project's. */
export async function requireOwnPrefix(tx: Tx, project: Project): Promise<Project> {
  const { seller, settings } = project;
  if (!seller) return project;
  await lockPrefixes(tx, project.merchantId);
  if (!(await isTaken(tx, project, seller, settings.invoicePrefix))) return project;
  throw new AppError('INVALID_STATE', {
    message: `Another project of ${seller.legalName} numbers its invoices ${settings.invoicePrefix}-…, so numbers would repeat. Choose another settings.invoicePrefix.`,
  });
}

async function isTaken(tx: Tx, project: Ref, seller: SellerIdentity, prefix: string): Promise<boolean> {
  const sellers = await listSellersOfPrefix(tx, project, seller.country, prefix);
  return sellers.some((legalName) => isSameSeller(seller, { legalName, country: seller.country }));
}
