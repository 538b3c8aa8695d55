import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../app/session.ts';

/** The heading of a screen, its actions, and the title of the browser's tab. */
export function ScreenTitle({
  title,
  badge,
  children,
}: {
  title: string;
  badge?: ReactNode;
  children?: ReactNode;
}) {
  const { merchant } = useSession();
  useEffect(() => {
    document.title = `${title} · ${merchant.name ?? 'Florin'}`;
  }, [title, merchant.name]);
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Group gap="sm">
        <Title order={1}>{title}</Title>
        {badge}
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
