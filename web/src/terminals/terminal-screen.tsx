import { FlorinError, type Terminal } from '@florin/sdk';
import { Button, Group, Text } from '@mantine/core';
import encodeQR from 'qr';
import { useMemo } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { RenameTerminal, SwitchTerminal } from './terminal-forms.tsx';
import styles from './terminal-screen.module.css';
import { TerminalStatus, terminalText } from './terminals-screen.tsx';
import { TillSection } from './till-section.tsx';

export default function TerminalScreen() {
  const can = useCan();
  return (
    <DetailScreen<Terminal>
      name="terminals"
      load={find}
      back={{ to: '/terminals', label: t('Terminals') }}
      title={terminalText}
      badge={(terminal) => <TerminalStatus terminal={terminal} />}
      actions={(terminal) =>
        can.change && (
          <>
            <RenameTerminal terminal={terminal} />
            <SwitchTerminal terminal={terminal} />
          </>
        )
      }
    >
      {(terminal) => (
        <>
          <Facts
            of={[
              [t('Created'), <Time key="c" at={terminal.createdAt} />],
              [t('Terminal ID'), <Copyable key="i" text={terminal.id} label={t('terminal ID')} />],
            ]}
          />
          <TillSection terminal={terminal} />
          <Display terminal={terminal} />
        </>
      )}
    </DetailScreen>
  );
}

/** A shop has few of them, and they are only listed. */
async function find(id: string): Promise<Terminal> {
  const terminal = (await florin.terminals.list()).find((one) => one.id === id);
  if (!terminal) throw new FlorinError('NOT_FOUND', t('Terminal not found.'));
  return terminal;
}

function Display({ terminal }: { terminal: Terminal }) {
  const url = `${location.origin}/terminals/${terminal.id}`;
  const svg = useMemo(() => encodeQR(url, 'svg', { border: 3 }), [url]);
  const image = useMemo(() => `data:image/svg+xml,${encodeURIComponent(svg)}`, [svg]);
  return (
    <Section title={t('Customer display')}>
      <Text size="sm" maw={560} mb="sm">
        {t(
          'Open this link on the screen at your counter and leave it open: it shows each amount to pay. Or print the QR code for customers to open on their own phone.',
        )}
      </Text>
      <Copyable text={url} label={t('display link')} short={false} />
      <div>
        <img className={styles.code} src={image} alt={t('QR code of the display link')} />
      </div>
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => saveFile(`${fileName(terminal)}.svg`, new Blob([svg], { type: 'image/svg+xml' }))}
        >
          {t('Download QR code (SVG)')}
        </Button>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          size="xs"
          variant="default"
          leftSection={<Icon name="external" />}
        >
          {t('Open display')}
        </Button>
      </Group>
    </Section>
  );
}

/** Names are anything; names of files are not. */
const fileName = (terminal: Terminal) =>
  terminalText(terminal)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase() || terminal.id;
