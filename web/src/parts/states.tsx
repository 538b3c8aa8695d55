import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { messageOf } from '../app/florin.ts';
import { t } from '../words/t.ts';
import styles from './states.module.css';

/** Placeholder of an empty screen, with the one thing to do about it. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={6} py={56} px="md" ta="center">
      <Title order={2}>{title}</Title>
      {children && (
        <Text c="dimmed" maw={460}>
          {children}
        </Text>
      )}
      {action && <Group mt="xs">{action}</Group>}
    </Stack>
  );
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div role="alert" className={styles.failed}>
      <strong>{t('Couldn’t load this')}</strong>
      <Group justify="space-between">
        <span>{messageOf(error)}</span>
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
      </Group>
    </div>
  );
}

export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <Skeleton key={at} h={28} />
      ))}
    </Stack>
  );
}
