import type { Upload } from '@florin/sdk';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useAction } from '../app/action.ts';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';

export interface ImageFieldProps {
  /** As it is called on buttons. */
  noun: 'logo' | 'image';
  hasImage: boolean;
  set(file: Upload): Promise<unknown>;
  remove(): Promise<unknown>;
  /** What customers see without one. */
  without: string;
  hint: string;
  refresh: readonly string[];
}

export const LOGO_HINT = t(
  'PNG, JPEG or WebP, up to 256 KiB and 2048 × 2048 pixels. Invoices show PNG and JPEG only.',
);

/** Uploads an image as soon as it is chosen, or removes the one there is. */
export function ImageField({ noun, hasImage, set, remove, without, hint, refresh }: ImageFieldProps) {
  const reset = useRef<() => void>(null);
  const upload = useAction<File>({ run: set, done: t('{noun} saved.', { noun: capital(noun) }), refresh });
  const done = t('{noun} removed. Customers now see {without}.', { noun: capital(noun), without });
  const removal = useAction({ run: remove, done, refresh });
  const choose = (file: File | null) => {
    if (file) upload.mutate(file);
    // The same file can be chosen again after it was changed.
    reset.current?.();
  };
  return (
    <div>
      <Group gap="xs" mt="sm">
        <FileButton onChange={choose} accept="image/png,image/jpeg,image/webp" resetRef={reset}>
          {(props) => (
            <Button size="xs" variant="default" loading={upload.isPending} {...props}>
              {hasImage ? t('Replace {noun}', { noun }) : t('Upload {noun}', { noun })}
            </Button>
          )}
        </FileButton>
        {hasImage && (
          <Button size="xs" variant="default" loading={removal.isPending} onClick={() => removal.mutate()}>
            <T of="Remove {noun}" noun={noun} />
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {hint}
      </Text>
    </div>
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Where this page came from serves it too, under whatever name it is reached. */
export const logoSource = (logoUrl: string) => new URL(logoUrl).pathname;
