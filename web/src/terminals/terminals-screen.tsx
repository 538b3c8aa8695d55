import type { Terminal } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { type Column, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { NewTerminal } from './terminal-forms.tsx';

export const terminalText = ({ name, id }: Terminal) => name ?? t('Terminal {id}', { id: id.slice(0, 8) });

export function TerminalStatus({ terminal: { isActive } }: { terminal: Terminal }) {
  return <Status of={isActive ? 'active' : 'inactive'} />;
}

const COLUMNS: readonly Column<Terminal>[] = [
  { title: t('Name'), cell: terminalText },
  { title: t('Status'), cell: (terminal) => <TerminalStatus terminal={terminal} /> },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function TerminalsScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const create = can.change && <NewTerminal onDone={({ id }) => void navigate({ to: `/terminals/${id}` })} />;
  return (
    <ListScreen<Terminal, object>
      title={t('Terminals')}
      name="terminals"
      columns={COLUMNS}
      query={() => ({})}
      load={async () => ({ data: await florin.terminals.list(), hasMore: false, nextCursor: null })}
      hrefOf={({ id }) => `/terminals/${id}`}
      actions={create}
      empty={
        <Empty title={t('No terminals yet')} action={create}>
          {t(
            'A terminal is a screen at your counter: a tablet or phone that shows each amount as a QR code to scan.',
          )}
        </Empty>
      }
    />
  );
}
