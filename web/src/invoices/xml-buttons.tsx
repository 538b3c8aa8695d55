import { Button } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';
import { t } from '../words/t.ts';

type Format = 'ubl' | 'cii';

interface XmlButtonsProps {
  /** The number of the document, which names the file. */
  number: string;
  load(format: Format): Promise<string>;
}

/**
 * Buttons for accounting programs. If something the standard requires is missing, the message names it and no file is
 * saved.
 */
export function XmlButtons({ number, load }: XmlButtonsProps) {
  const save = useAction<Format>({
    run: async (format) =>
      saveFile(`${number}-${format}.xml`, new Blob([await load(format)], { type: 'application/xml' })),
  });
  return (['ubl', 'cii'] as const).map((format) => (
    <Button
      key={format}
      size="xs"
      variant="default"
      leftSection={<Icon name="download" />}
      onClick={() => save.mutate(format)}
      loading={save.isPending && save.variables === format}
    >
      {t('XML ({format})', { format: format.toUpperCase() })}
    </Button>
  ));
}
