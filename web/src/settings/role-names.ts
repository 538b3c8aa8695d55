import type { Member } from '@florin/sdk';
import { tc } from '../words/t.ts';

export const ROLE_NAMES: Record<Member['role'], string> = {
  viewer: tc('role', 'Viewer'),
  developer: tc('role', 'Developer'),
  owner: tc('role', 'Owner'),
};
