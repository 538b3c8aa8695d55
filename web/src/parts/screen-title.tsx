import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../app/session.ts';
import styles from './screen-title.module.css';

interface ScreenTitleProps {
  title: string;
  /** Text in smaller letters below the title. */
  subtitle?: ReactNode;
  badge?: ReactNode;
  children?: ReactNode;
}

/** The heading of a screen, its actions, and the title of the browser's tab. */
export function ScreenTitle({ title, subtitle, badge, children }: ScreenTitleProps) {
  const { merchant } = useSession();
  useEffect(() => {
    document.title = `${title} · ${merchant.name ?? 'Florin'}`;
  }, [title, merchant.name]);
  return (
    <Group justify="space-between" align="start" mb={subtitle ? 'lg' : 'md'} gap="sm">
      <div>
        <Group gap="sm">
          <Title order={1}>{title}</Title>
          {badge}
        </Group>
        {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
