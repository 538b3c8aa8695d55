import type { Closing } from './closing-queries.ts';

export const MOVE_STATES = ['open', 'moving', 'moved'] as const;

export function moveStateOf({
  closedAt,
  movedTo,
}: Pick<Closing, 'closedAt' | 'movedTo'>): (typeof MOVE_STATES)[number] {
  if (closedAt === null) return 'open';
  return movedTo === null ? 'moving' : 'moved';
}
