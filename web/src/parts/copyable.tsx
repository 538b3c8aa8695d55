import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { t } from '../words/t.ts';
import styles from './copyable.module.css';
import { Icon } from './icon.tsx';

/** A text for machines, cut short for people; one press copies all of it. */
export function Copyable({ text, label, short = true }: { text: string; label: string; short?: boolean }) {
  const { isCopied, copy } = useCopy(text);
  return (
    <UnstyledButton className={styles.copyable} onClick={copy} title={text}>
      <VisuallyHidden>{t('Copy {label}', { label })}</VisuallyHidden>
      <code>{short ? shortened(text) : text}</code>
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </UnstyledButton>
  );
}

export function useCopy(text: string): { isCopied: boolean; copy(): void } {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1_500);
      },
      () => notifications.show({ message: t('Copy manually: {text}', { text }), autoClose: false }),
    );
  return { isCopied, copy: () => void copy() };
}

export function shortened(text: string): string {
  return text.length <= 16 ? text : `${text.slice(0, 6)}…${text.slice(-6)}`;
}
