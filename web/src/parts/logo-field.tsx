import type { Upload } from '@florin/sdk';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useAction } from '../app/action.ts';

export interface LogoFieldProps {
  hasLogo: boolean;
  set(file: Upload): Promise<unknown>;
  remove(): Promise<unknown>;
  /** What customers see without one. */
  without: string;
  refresh: readonly string[];
}

/** Uploads an image as soon as it is chosen, or removes the one there is. */
export function LogoField({ hasLogo, set, remove, without, refresh }: LogoFieldProps) {
  const reset = useRef<() => void>(null);
  const upload = useAction<File>({ run: set, done: 'Logo saved.', refresh });
  const removal = useAction({ run: remove, done: `Logo removed. Customers now see ${without}.`, refresh });
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
              {hasLogo ? 'Replace logo' : 'Upload logo'}
            </Button>
          )}
        </FileButton>
        {hasLogo && (
          <Button size="xs" variant="default" loading={removal.isPending} onClick={() => removal.mutate()}>
            Remove logo
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        PNG, JPEG or WebP, up to 256 KiB and 2048 × 2048 pixels. Invoices show PNG and JPEG only.
      </Text>
    </div>
  );
}

/** Where this page came from serves it too, under whatever name it is reached. */
export const logoSource = (logoUrl: string) => new URL(logoUrl).pathname;
