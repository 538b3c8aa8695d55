import type { Upload } from '@florin/sdk';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useAction } from '../app/action.ts';
import { t } from '../words/t.ts';

export interface ImageFieldProps {
  noun: keyof typeof WORDS;
  hasImage: boolean;
  set(file: Upload): Promise<unknown>;
  remove(): Promise<unknown>;
  /** Replacement that customers see without an image. */
  without: keyof typeof REMOVED;
  hint: string;
  refresh: readonly string[];
}

const WORDS = {
  logo: {
    saved: t('Logo saved.'),
    upload: t('Upload logo'),
    replace: t('Replace logo'),
    remove: t('Remove logo'),
  },
  image: {
    saved: t('Image saved.'),
    upload: t('Upload image'),
    replace: t('Replace image'),
    remove: t('Remove image'),
  },
};

const REMOVED = {
  'the name only': t('Image removed. Customers now see the name only.'),
  'your own': t('Logo removed. Customers now see your own.'),
  'the first letter of your name': t('Logo removed. Customers now see the first letter of your name.'),
  'the first letter of the name': t('Logo removed. Customers now see the first letter of the name.'),
};

export const LOGO_HINT = t(
  'PNG, JPEG or WebP, up to 256 KiB and 2048 × 2048 pixels. Invoices show PNG and JPEG only.',
);

/** Uploads an image as soon as it is chosen, or removes the one there is. */
export function ImageField({ noun, hasImage, set, remove, without, hint, refresh }: ImageFieldProps) {
  const reset = useRef<() => void>(null);
  const words = WORDS[noun];
  const upload = useAction<File>({ run: set, done: words.saved, refresh });
  const removal = useAction({ run: remove, done: REMOVED[without], refresh });
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
              {hasImage ? words.replace : words.upload}
            </Button>
          )}
        </FileButton>
        {hasImage && (
          <Button size="xs" variant="default" loading={removal.isPending} onClick={() => removal.mutate()}>
            {words.remove}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {hint}
      </Text>
    </div>
  );
}

/** Path of the logo: the server of this page serves it too, under whatever name it is reached. */
export const logoSource = (logoUrl: string) => new URL(logoUrl).pathname;
