import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import { type AuditRow, listAuditEntries } from '../../platform/audit/list-entries.ts';
import { Page, pageQuery, readPage, toRange } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  type TSchema,
  Uuid,
} from '../../platform/http/schema.ts';
import { parseJson, stringifyJson } from '../../platform/lib/json.ts';
import type { MemberParts } from './member-parts.ts';
import { type ActorNames, readActorNames } from './read-actor-names.ts';

const AuditEntryView = Shape('AuditEntry', {
  id: Uuid(),
  actor: Text({ description: '`member:<id>`, `key:<id>`, `portal:<session id>` or `operator`.' }),
  actorName: Nullable(Text({ description: 'The member’s name, or the key’s.' })),
  action: Text({ description: 'What happened, noun first: `api_key.created`.' }),
  targetId: Nullable(Uuid()),
  detail: { type: 'object', description: 'What changed. Never a secret.' } as TSchema,
  createdAt: Timestamp(),
});

const ListQuery = Shape(undefined, {
  ...pageQuery,
  action: Optional(Text({ description: 'Only this action.' })),
  actor: Optional(Text({ description: 'Only entries of this actor.' })),
  targetId: Optional(Uuid('Only entries about this object.')),
});

export function auditRoutes(app: App, { db }: Pick<MemberParts, 'db'>): void {
  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/audit-entries',
    id: 'listAuditEntries',
    sdk: 'merchant.listAuditEntries',
    assistant: 'read',
    tag: 'Audit log',
    summary: 'List audit log entries',
    description: 'The audit log only grows. It never contains a secret.',
    scopes: SCOPES,
    query: ListQuery,
    success: { status: 200, schema: Page('AuditEntryPage', AuditEntryView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal: { merchantId }, query }) {
      const page = await readPage(toRange(query), (range) => listAuditEntries(db, merchantId, query, range));
      const names = await readActorNames(
        db,
        merchantId,
        page.data.map(({ actor }) => actor),
      );
      const data = page.data.map((row) => presentEntry(row, names));
      return { status: 200, text: stringifyJson({ ...page, data }) };
    },
  });
}

function presentEntry(row: AuditRow, names: ActorNames) {
  const { id, actor, action, targetId, detail, createdAt } = row;
  const actorName = names.get(actor) ?? null;
  return { id, actor, actorName, action, targetId, detail: parseJson(detail), createdAt };
}
