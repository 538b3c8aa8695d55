import { Button } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { Icon } from './icon.tsx';
import { saveFile } from './save-file.ts';

export interface CsvButtonProps {
  /** File name without its extension. */
  name: string;
  load(): Promise<Response>;
  label?: string;
}

/** Without it Excel takes letters outside ASCII for others. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The list as it is filtered, every row of it. */
export function CsvButton({ name, load, label = 'CSV' }: CsvButtonProps) {
  const save = useAction({
    run: async () => saveFile(`${name}.csv`, new Blob([BYTE_ORDER_MARK, await (await load()).blob()])),
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" />}
      onClick={() => save.mutate()}
      loading={save.isPending}
    >
      {label}
    </Button>
  );
}
