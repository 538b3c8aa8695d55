import type { Project, ProjectsListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { numberText } from '../billing/price-text.ts';
import { shortened } from '../parts/copyable.tsx';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { Empty } from '../parts/states.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc } from '../words/t.ts';
import { NewProject } from './project-forms.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'archived',
    label: t('Status'),
    options: ['true'],
    none: words('active'),
    labels: { true: words('archived') },
  },
];

const COLUMNS: readonly Column<Project>[] = [
  { title: t('Name'), cell: ({ name }) => name },
  {
    title: t('Paid to'),
    cell: ({ payoutAddress }) =>
      payoutAddress ? <code>{shortened(payoutAddress)}</code> : t('Your main address'),
  },
  {
    title: t('Volume limit'),
    cell: ({ monthlyVolumeLimitCents: limit }) =>
      limit === null ? tc('limit', 'None') : <Money cents={limit} />,
    align: 'right',
    wideOnly: true,
  },
  {
    title: t('Request limit'),
    cell: ({ monthlyRequestLimit: limit }) => (limit === null ? tc('limit', 'None') : numberText(limit)),
    align: 'right',
    wideOnly: true,
  },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function ProjectsScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const create = can.change && <NewProject onDone={({ id }) => void navigate({ to: `/projects/${id}` })} />;
  return (
    <ListScreen<Project, ProjectsListQuery>
      title={t('Projects')}
      name="projects"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => (firstOf(search.archived) === 'true' ? { archived: true } : {})}
      load={(query) => florin.projects.list(query)}
      loadCsv={(query) => florin.projects.listCsv(query)}
      hrefOf={({ id }) => `/projects/${id}`}
      actions={create}
      empty={
        <Empty title={t('No projects yet')} action={create}>
          {t(
            'A project groups customers, prices and everything you sell. One is enough for most shops; each has its own invoices, limits and payout address.',
          )}
        </Empty>
      }
    />
  );
}
