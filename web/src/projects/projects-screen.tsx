import type { Project, ProjectsListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { numberText } from '../billing/price-text.ts';
import { shortened } from '../parts/copyable.tsx';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { NewProject } from './project-forms.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'archived',
    label: 'Status',
    options: ['true'],
    none: 'Active',
    labels: { true: 'Archived' },
  },
];

const COLUMNS: readonly Column<Project>[] = [
  { title: 'Name', cell: ({ name }) => name },
  {
    title: 'Paid to',
    cell: ({ payoutAddress }) =>
      payoutAddress ? <code>{shortened(payoutAddress)}</code> : 'Your main address',
  },
  {
    title: 'Volume limit',
    cell: ({ monthlyVolumeLimitCents: limit }) => (limit === null ? 'None' : <Money cents={limit} />),
    align: 'right',
    wideOnly: true,
  },
  {
    title: 'Request limit',
    cell: ({ monthlyRequestLimit: limit }) => (limit === null ? 'None' : numberText(limit)),
    align: 'right',
    wideOnly: true,
  },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function ProjectsScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const create = can.change && <NewProject onDone={({ id }) => void navigate({ to: `/projects/${id}` })} />;
  return (
    <ListScreen<Project, ProjectsListQuery>
      title="Projects"
      name="projects"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => (firstOf(search.archived) === 'true' ? { archived: true } : {})}
      load={(query) => florin.projects.list(query)}
      loadCsv={(query) => florin.projects.listCsv(query)}
      hrefOf={({ id }) => `/projects/${id}`}
      actions={create}
      empty={
        <Empty title="No projects yet" action={create}>
          A project groups customers, prices and everything you sell. One is enough for most shops; each has
          its own invoices, limits and payout address.
        </Empty>
      }
    />
  );
}
