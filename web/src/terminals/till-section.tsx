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
import { QrCode, qrSvg } from '../parts/qr-code.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
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
      title="Till"
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
          Turn a phone or tablet into a till: staff enter an amount or choose items, and the customer scans
          the QR code. Pair one till for each terminal.
        </Text>
      )}
      <CodeDialog code={isPaired ? undefined : code} onClose={() => setCode(undefined)} />
    </Section>
  );
}

function PairedTill({ till, canUnpair }: { till: Till; canUnpair: boolean }) {
  const tips = till.tipPercents.map((percent) => `${percent}%`).join(', ');
  return (
    <>
      <Facts
        of={[
          ['Name', till.name ?? '–'],
          ['Project', <ProjectName key="p" id={till.projectId} />],
          ['Tips', tips || 'Not offered'],
          ['Paired', <Time key="t" at={till.pairedAt} />],
          ['Last seen', <Time key="s" at={till.lastSeenAt} />],
        ]}
      />
      {canUnpair && (
        <ActionDialogButton
          label="Unpair"
          submit="Unpair till"
          isDangerous
          explanation="The till stops working immediately. A payment it is waiting for can still be completed. To use the device again, pair it with a new code."
          action={{
            run: () => florin.tills.unpair(till.id),
            done: 'Till unpaired.',
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
      label="Pair a till"
      submit="Get a code"
      button={{ leftSection: <Icon name="plus" />, disabled: !terminal.isActive }}
      action={{
        run: (given) =>
          florin.tills.create({
            terminalId: terminal.id,
            projectId: given.text('projectId'),
            name: given.optional('name'),
            tipPercents: readTips(given.text('tips')),
          }),
        onDone: onCode,
      }}
    >
      <ProjectField />
      <TextInput
        label="Device name"
        description="Which phone or tablet it is, e.g. Blue tablet. Optional."
        name="name"
        maxLength={128}
      />
      <TextInput
        label="Tips"
        description="Percentages customers can choose from, e.g. 10, 15, 20. Leave blank to offer none."
        name="tips"
      />
    </ActionDialogButton>
  );
}

function CodeDialog({ code, onClose }: { code: TillCode | undefined; onClose(): void }) {
  return (
    <Modal opened={code !== undefined} onClose={onClose} title="Pair a till" closeOnClickOutside={false}>
      {code && (
        <Stack>
          <Text size="sm">
            Scan this with the phone or tablet, or open {new URL(code.url).host}/till on it and enter the
            code.
          </Text>
          <QrCode svg={qrSvg(code.url)} alt="QR code that opens the till" isLarge />
          <code className={styles.pairing} data-testid="pairing-code">
            {code.code}
          </code>
          <Text size="sm" c="dimmed">
            It works once and expires in 10 minutes. This window closes when the till is paired.
          </Text>
        </Stack>
      )}
    </Modal>
  );
}
