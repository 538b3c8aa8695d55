import { Kbd, Modal, Table } from '@mantine/core';
import { t, tc } from '../words/t.ts';
import { usePlaces } from './navigation.ts';

export default function ShortcutList({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const reachable = usePlaces().flatMap((group) => group.places);
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Keyboard shortcuts')} size="sm">
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {[
            { keys: ['/'], label: t('Search') },
            ...(document.querySelector('[data-create]') ? [{ keys: ['c'], label: t('Create') }] : []),
            ...reachable.map(({ key, label }) => ({ keys: ['g', key], label })),
            { keys: ['↑', '↓'], label: t('Move through a list') },
            { keys: [tc('key', 'Enter')], label: tc('action', 'Open') },
            { keys: [tc('key', 'Esc')], label: t('Close dialog or search') },
            { keys: ['?'], label: t('Show this list') },
          ].map(({ keys, label }) => (
            <Table.Tr key={label}>
              <Table.Td>{label}</Table.Td>
              <Table.Td ta="end">
                {keys.map((key) => (
                  <Kbd key={key} ms={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
