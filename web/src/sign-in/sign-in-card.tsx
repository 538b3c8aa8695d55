import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './sign-in-card.module.css';

/** The page before the dashboard: one card, one question. */
export function SignInCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/icon.svg" alt="Florin" width={40} height={40} />
        <Title order={1} mt="sm" mb="md">
          {title}
        </Title>
        {children}
      </div>
    </main>
  );
}
