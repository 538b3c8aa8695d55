import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import { listKeyNames } from '../../platform/access/queries.ts';
import { type AuditRow, listAuditEntries } from '../../platform/audit/list-entries.ts';
import type { Queryable } from '../../platform/db/database.ts';
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
import { isUuid } from '../../platform/lib/ids.ts';
import { parseJson, stringifyJson } from '../../platform/lib/json.ts';
import type { MemberParts } from './member-parts.ts';
import { listMemberNames } from './queries.ts';

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
    tag: 'Audit log',
    summary: 'List audit log entries',
    description: 'The audit log only grows. It never contains a secret.',
    scopes: SCOPES,
    query: ListQuery,
    success: { status: 200, schema: Page('AuditEntryPage', AuditEntryView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal: { merchantId }, query }) {
      const page = await readPage(toRange(query), (range) => listAuditEntries(db, merchantId, query, range));
      const names = await readActorNames(db, merchantId, page.data);
      const data = page.data.map((row) => presentEntry(row, names));
      return { status: 200, text: stringifyJson({ ...page, data }) };
    },
  });
}

type Names = Map<string, string | null>;

async function readActorNames(db: Queryable, merchantId: string, rows: readonly AuditRow[]): Promise<Names> {
  const idsOf = (kind: string) =>
    rows
      .filter(({ actor }) => actor.startsWith(`${kind}:`))
      .map(({ actor }) => actor.slice(kind.length + 1))
      .filter(isUuid);
  const [members, keys] = await Promise.all([
    listMemberNames(db, merchantId, idsOf('member')),
    listKeyNames(db, merchantId, idsOf('key')),
  ]);
  return new Map<string, string | null>([
    ...members.map(({ id, name }) => [`member:${id}`, name] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
  ]);
}

function presentEntry(row: AuditRow, names: Names) {
  const { id, actor, action, targetId, detail, createdAt } = row;
  const actorName = names.get(actor) ?? null;
  return { id, actor, actorName, action, targetId, detail: parseJson(detail), createdAt };
}
