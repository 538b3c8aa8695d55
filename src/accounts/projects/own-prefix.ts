import type { Tx } from '../../platform/db/database.ts';
import type { Project } from './project.ts';
import { listPrefixesOfSeller } from './queries.ts';

/** Of the 16 characters that a prefix may have, some are for the count. */
const ROOM = 12;

/**
 * No two invoices of one seller have the same number: a project gets a prefix that no other project of its seller has.
 * Two that are created at the same moment can still share one; the dashboard then says so.
 */
export async function withOwnPrefix(tx: Tx, project: Project): Promise<Project> {
  if (!project.seller) return project;
  const taken = new Set(await listPrefixesOfSeller(tx, project, project.seller));
  const { invoicePrefix } = project.settings;
  let own = invoicePrefix;
  for (let count = 2; taken.has(own); count++) own = `${invoicePrefix.slice(0, ROOM)}${count}`;
  return { ...project, settings: { ...project.settings, invoicePrefix: own } };
}
