import { Button } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { Icon } from './icon.tsx';
import { saveFile } from './save-file.ts';

/** The list as it is filtered, every row of it. */
export function CsvButton({ name, load }: { name: string; load(): Promise<Response> }) {
  const save = useAction({
    run: async () => saveFile(`${name}.csv`, await (await load()).blob()),
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" />}
      onClick={() => save.mutate()}
      loading={save.isPending}
    >
      CSV
    </Button>
  );
}
