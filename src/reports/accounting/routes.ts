import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import { FILE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { DayOrTime, Optional, Shape, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { badField } from '../../platform/lib/errors.ts';
import { firstMoment, momentAfter } from '../../platform/lib/local-days.ts';
import { writeBankStatement } from './bank-statement.ts';
import { claimExport } from './claim-export.ts';
import { cutOffSlow } from './cut-off-slow.ts';
import type { BooksPeriod } from './fact.ts';
import { writeGeneralLedger } from './general-ledger.ts';
import { requireProject } from './require-project.ts';

const PeriodQuery = Shape(undefined, {
  from: DayOrTime('What happened on this day of the merchant’s time zone, or at this time, or later.'),
  to: DayOrTime('Until the end of this day, or before this time.'),
  projectId: Optional(Uuid('Only this project. Without it, all of them, and payments without a project.')),
});

const TAG = 'Accounting';

export interface AccountingRoutes {
  db: Database;
  clock: Clock;
}

export function accountingRoutes(app: App, { db, clock }: AccountingRoutes): void {
  const readPeriod = periodReader(db);

  billingRoute(app, {
    method: 'GET',
    path: '/general-ledger',
    id: 'getGeneralLedger',
    sdk: 'accounting.generalLedger',
    assistant: { withheld: FILE },
    tag: TAG,
    summary: 'Export the general ledger',
    description:
      'The journal of a period as CSV: one row for each line of an entry, with its account, debit and credit. Each entry balances, and so does the file. It is streamed.',
    scopes: ['billing:read', 'payments:read'],
    query: PeriodQuery,
    csv: true,
    success: { status: 200, description: 'Oldest first.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, query, reply }) {
      const period = await readPeriod(principal, query);
      const release = claimExport(db, principal.merchantId);
      return sendExport(reply, 'text/csv; charset=utf-8', writeGeneralLedger(db, period), release);
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/bank-statement',
    id: 'getBankStatement',
    sdk: 'accounting.bankStatement',
    assistant: { withheld: FILE },
    tag: TAG,
    summary: 'Export a bank statement',
    description:
      'What reached the wallet and what left it, as OFX 2.1.1, which accounting programs import: one transaction for each payment received and for each refund sent. A FITID never changes. It is streamed.',
    scopes: ['billing:read', 'payments:read'],
    query: PeriodQuery,
    xml: true,
    success: { status: 200, description: 'Oldest first.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, query, reply }) {
      const period = await readPeriod(principal, query);
      const release = claimExport(db, principal.merchantId);
      return sendExport(
        reply,
        'application/xml; charset=utf-8',
        writeBankStatement(db, period, clock.now()),
        release,
      );
    },
  });
}

function periodReader(db: Database) {
  return async (
    { merchantId, timeZone }: Principal,
    query: { from: Date | string; to: Date | string; projectId?: string },
  ): Promise<BooksPeriod> => {
    const [from, to] = [firstMoment(query.from, timeZone), momentAfter(query.to, timeZone)];
    if (to <= from) throw badField('to', 'must be later than from');
    const projectId = await requireProject(db, merchantId, query.projectId);
    return { merchantId, projectId, from, to, timeZone };
  };
}

/** The first part is read before the first byte is sent, so that a failure can still be answered as one. */
async function sendExport(
  reply: FastifyReply,
  type: string,
  text: AsyncGenerator<string, void>,
  release: () => void,
): Promise<FastifyReply> {
  const first = await text.next().catch((error: unknown) => {
    release();
    throw error;
  });
  async function* all() {
    if (!first.done) yield first.value;
    yield* text;
  }
  const body = Readable.from(all());
  // Also where nothing was read of it.
  body.once('close', () => {
    release();
    void text.return();
  });
  cutOffSlow(reply.raw);
  return reply.header('content-type', type).send(body);
}
