import { Button, Stack } from '@mantine/core';
import { Icon } from '../parts/icon.tsx';
import { QrCode, qrSvg } from '../parts/qr-code.tsx';
import { saveFile } from '../parts/save-file.ts';
import { t } from '../words/t.ts';

/** The address as a code, drawn here; to keep as a file that prints at any size. */
export function LinkQr({ url }: { url: string }) {
  const svg = qrSvg(url);
  return (
    <Stack gap="xs" align="center">
      <QrCode svg={svg} alt={t('QR code of {url}', { url })} />
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="download" />}
        onClick={() => saveFile('payment-link.svg', new Blob([svg], { type: 'image/svg+xml' }))}
      >
        {t('Download QR code')}
      </Button>
    </Stack>
  );
}
