import type { Terminal, Till, TillCode } from '@florin/sdk';
import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ProjectField, ProjectName } from '../billing/project-field.tsx';
import { readTips } from '../checkout/usual-tips.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { percentText } from '../parts/percent-text.ts';
import { QrCode, qrSvg } from '../parts/qr-code.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import styles from './terminal-screen.module.css';

/** Pairing happens on another device: while a code is shown, this is how soon the dashboard notices. */
const LOOK_MS = 2_000;

export function TillSection({ terminal }: { terminal: Terminal }) {
  const can = useCan();
  const [code, setCode] = useState<TillCode>();
  const { data, error, refetch } = useQuery({
    queryKey: ['tills'],
    queryFn: () => florin.tills.list(),
    refetchInterval: code && LOOK_MS,
  });
  const till = data?.find(({ terminalId }) => terminalId === terminal.id);
  const isPaired = till !== undefined && till.id === code?.id;
  return (
    <Section
      title={t('Till')}
      actions={data && !till && can.change && <PairButton terminal={terminal} onCode={setCode} />}
    >
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Loading lines={2} />
      ) : till ? (
        <PairedTill till={till} canUnpair={can.change} />
      ) : (
        <Text size="sm" maw={560}>
          {t(
            'Turn a phone or tablet into a till: staff enter an amount or choose items, and the customer scans the QR code. Pair one till for each terminal.',
          )}
        </Text>
      )}
      <CodeDialog code={isPaired ? undefined : code} onClose={() => setCode(undefined)} />
    </Section>
  );
}

function PairedTill({ till, canUnpair }: { till: Till; canUnpair: boolean }) {
  const tips = till.tipPercents.map(percentText).join(', ');
  return (
    <>
      <Facts
        of={[
          [t('Name'), till.name ?? '–'],
          [t('Project'), <ProjectName key="p" id={till.projectId} />],
          [t('Tips'), tips || t('Not offered')],
          [t('Paired'), <Time key="t" at={till.pairedAt} />],
          [t('Last seen'), <Time key="s" at={till.lastSeenAt} />],
        ]}
      />
      {canUnpair && (
        <ActionDialogButton
          label={t('Unpair')}
          submit={t('Unpair till')}
          isDangerous
          explanation={t(
            'The till stops working immediately. A payment it is waiting for can still be completed. To use the device again, pair it with a new code.',
          )}
          action={{
            run: () => florin.tills.unpair(till.id),
            done: t('Till unpaired.'),
            refresh: ['tills'],
          }}
        />
      )}
    </>
  );
}

function PairButton({ terminal, onCode }: { terminal: Terminal; onCode(code: TillCode): void }) {
  return (
    <ActionDialogButton<TillCode>
      label={t('Pair a till')}
      submit={t('Get a code')}
      button={{ leftSection: <Icon name="plus" />, disabled: !terminal.isActive }}
      action={{
        run: (given) =>
          florin.tills.create({
            terminalId: terminal.id,
            projectId: given.text('projectId'),
            name: given.optional('name'),
            tipPercents: readTips(given.figures('tips')),
          }),
        onDone: onCode,
      }}
    >
      <ProjectField />
      <TextInput
        label={t('Device name')}
        description={t('Which phone or tablet it is, e.g. Blue tablet. Optional.')}
        name="name"
        maxLength={128}
      />
      <TextInput
        label={t('Tips')}
        description={t('Percentages customers can choose from, e.g. 10, 15, 20. Leave blank to offer none.')}
        name="tips"
      />
    </ActionDialogButton>
  );
}

function CodeDialog({ code, onClose }: { code: TillCode | undefined; onClose(): void }) {
  return (
    <Modal opened={code !== undefined} onClose={onClose} title={t('Pair a till')} closeOnClickOutside={false}>
      {code && (
        <Stack>
          <Text size="sm">
            {t('Scan this with the phone or tablet, or open {address} on it and enter the code.', {
              address: `${new URL(code.url).host}/till`,
            })}
          </Text>
          <QrCode svg={qrSvg(code.url)} alt={t('QR code that opens the till')} isLarge />
          <code className={styles.pairing} data-testid="pairing-code">
            {code.code}
          </code>
          <Text size="sm" c="dimmed">
            {t('It works once and expires in 10 minutes. This window closes when the till is paired.')}
          </Text>
        </Stack>
      )}
    </Modal>
  );
}
