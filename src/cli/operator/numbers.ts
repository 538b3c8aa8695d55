import { listNumberedProjects } from '../../accounts/projects/number-queries.ts';
import { renewPrefix } from '../../accounts/projects/renew-prefix.ts';
import { creditNoteNumber } from '../../payments/refunds/credit-note.ts';
import { listLastCreditNotes } from '../../payments/refunds/credit-note-queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import type { CommandContext } from './context.ts';

const ACTOR = 'operator';

/** The last numbers this database knows of. Those after them may have been given out before it went back. */
export async function numbersCommand(
  { db, print }: CommandContext,
  options: { newPrefixes?: boolean },
): Promise<void> {
  const numbers = await readNumbers(db);
  const projects = [];
  for (const project of numbers.projects) {
    const { merchantId, projectId: id } = project;
    const change = { merchantId, id, actor: ACTOR, now: realNow() };
    const newPrefix = options.newPrefixes ? await db.transaction((tx) => renewPrefix(tx, change)) : null;
    projects.push({ ...project, newPrefix });
  }
  const lines = [
    ...projects.map(
      ({ lastNumber, projectId, name, newPrefix }) =>
        `${lastNumber}  is the last invoice of project ${projectId}, ${name}${newPrefix ? `; the next begins with ${newPrefix}` : ''}`,
    ),
    ...numbers.creditNotes.map(
      ({ lastNumber, merchantId }) => `${lastNumber}  is the last credit note of merchant ${merchantId}`,
    ),
  ];
  print({ ...numbers, projects }, lines.join('\n') || 'No invoice has a number yet.');
}

async function readNumbers(db: Database) {
  const projects = (await listNumberedProjects(db)).map(({ merchantId, projectId, name, lastText }) => ({
    ...{ merchantId, projectId, name, lastNumber: lastText },
  }));
  const creditNotes = (await listLastCreditNotes(db)).map(({ merchantId, last }) => ({
    ...{ merchantId, lastNumber: creditNoteNumber(last) },
  }));
  return { projects, creditNotes };
}
