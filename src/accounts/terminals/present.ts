import { Flag, Nullable, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import type { Terminal } from './terminal.ts';

export const TerminalView = Shape('Terminal', {
  id: Uuid(),
  name: Nullable(Text({ max: 128 })),
  isActive: Flag(),
  createdAt: Timestamp(),
});

export function presentTerminal({ id, name, isActive, createdAt }: Terminal) {
  return { id, name, isActive, createdAt };
}
