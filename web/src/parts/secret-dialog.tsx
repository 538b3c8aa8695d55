import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { t } from '../words/t.ts';
import { useCopy } from './copyable.tsx';
import styles from './secret-dialog.module.css';

interface SecretDialogProps {
  title: string;
  /** Nothing is shown without one. */
  secret: string | undefined;
  onClose(): void;
  children: ReactNode;
}

/** A secret that is shown once. Only the button closes it, so that a click elsewhere does not lose the secret. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps) {
  const { isCopied, copy } = useCopy(secret ?? '');
  const forget = useEffectEvent(onClose);
  useEffect(() => {
    // A browser may cache the whole page and show it again when someone navigates back.
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
            {isCopied ? t('Copied') : t('Copy')}
          </Button>
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
