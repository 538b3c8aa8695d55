import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useCopy } from './copyable.tsx';
import styles from './shown-once.module.css';

interface ShownOnceProps {
  title: string;
  /** Nothing is shown without one. */
  secret: string | undefined;
  onClose(): void;
  children: ReactNode;
}

/** A secret that the service will not tell again. It closes by its button alone, so that nobody loses it by a stray click. */
export function ShownOnce({ title, secret, onClose, children }: ShownOnceProps) {
  const { isCopied, copy } = useCopy(secret ?? '');
  const forget = useEffectEvent(onClose);
  useEffect(() => {
    // A browser may keep the whole page and show it again when somebody comes back to it.
    const onPageHide = () => forget();
    window.addEventListener('pagehide', onPageHide);
    return () => window.removeEventListener('pagehide', onPageHide);
  }, []);
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">{children}</Text>
        <code className={styles.secret} data-testid="secret">
          {secret}
        </code>
        <Group justify="flex-end">
          <Button variant="default" onClick={copy}>
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
          <Button onClick={onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
