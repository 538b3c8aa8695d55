import type { AuditEntry, MerchantListAuditEntriesQuery } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { Copyable } from '../parts/copyable.tsx';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

const ACTORS = t('{first} or {second}', { first: 'member:…', second: 'key:…' });

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'action', label: t('Action'), placeholder: 'api_key.created' },
  { kind: 'text', name: 'actor', label: t('By'), placeholder: ACTORS },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: t('Action'),
    cell: ({ action }) => <span title={action}>{actionText(action)}</span>,
    share: '40%',
  },
  { title: t('By'), cell: ({ actor, actorName }) => <span title={actor}>{actorName ?? actor}</span> },
  { title: t('Details'), cell: ({ detail }) => detailText(detail), wideOnly: true },
  {
    title: t('ID'),
    cell: ({ targetId }) => targetId && <Copyable text={targetId} label={t('ID')} />,
    wideOnly: true,
  },
  { title: t('Date'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', share: '33%' },
];

export default function AuditScreen() {
  return (
    <ListScreen<AuditEntry, MerchantListAuditEntriesQuery>
      title={t('Audit log')}
      name="audit"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => ({
        action: firstOf(search.action),
        actor: firstOf(search.actor),
        ...createdRange(search),
      })}
      load={(query) => florin.merchant.listAuditEntries(query)}
      empty={
        <Empty title={t('No changes yet')}>
          {t('Every change to this account is recorded here permanently.')}
        </Empty>
      }
    />
  );
}

/** `api_key.created` → API key created; `merchant.webhook_url_changed` → Webhook URL changed. */
const actionText = (action: string) =>
  words(action.replace(/^merchant\./, '').replace('.', ' '))
    .replace(/^Api /, 'API ')
    .replace(' url', ' URL');

function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
