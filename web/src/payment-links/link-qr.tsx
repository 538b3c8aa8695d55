import { Button, Stack } from '@mantine/core';
import encodeQR from 'qr';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';
import styles from './link-qr.module.css';

/** The address as a code, drawn here; to keep as a file that prints at any size. */
export function LinkQr({ url }: { url: string }) {
  const svg = encodeQR(url, 'svg', { ecc: 'medium', border: 2 });
  return (
    <Stack gap="xs" align="center">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
        alt={`QR code of ${url}`}
        className={styles.code}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="download" />}
        onClick={() => saveFile('payment-link.svg', new Blob([svg], { type: 'image/svg+xml' }))}
      >
        Download QR code
      </Button>
    </Stack>
  );
}
