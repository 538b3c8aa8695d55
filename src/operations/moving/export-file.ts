import { isUuid } from '../../platform/lib/ids.ts';

/** Facts that must match between two installations: money of one network never becomes money of another. */
export interface Place {
  /** Number of migrations the database had. */
  schema: number;
  network: string;
  /** The token that counts as money. */
  mint: string;
}

/** The first line of an export. Tables follow as in a backup, then the end. */
export interface ExportHeader extends Place {
  format: 'florin-merchant';
  version: 1;
  createdAt: string;
  merchant: { id: string; name: string | null };
  /** Base URL of the merchant's pages before the move. */
  publicUrl: string;
  /** Number of the last event at its origin. */
  lastOrdinal: string;
}

/** Summary of what was moved, for people. */
export interface MoveSummary {
  merchantId: string;
  name: string | null;
  schema: number;
  network: string;
  createdAt: string;
  tables: number;
  rows: number;
  bytes: number;
}

/** Refuses what does not belong here, and says both sides. */
export function checkExportHeader(line: Record<string, unknown>, here: Place): ExportHeader {
  const header = line as unknown as ExportHeader;
  if (header.format !== 'florin-merchant') throw new Error('this is not the export of a merchant');
  if (header.version !== 1) {
    throw new Error(
      `the export has format version ${header.version}, this release reads 1: use a newer release`,
    );
  }
  if (header.schema !== here.schema) {
    throw new Error(
      `the export is at schema ${header.schema}, this installation at ${here.schema}: bring both to the same release, and export again`,
    );
  }
  if (header.network !== here.network || header.mint !== here.mint) {
    throw new Error(
      `the export is of ${header.network} with the token ${header.mint}, this installation of ${here.network} with ${here.mint}`,
    );
  }
  if (!isOrdinal(header.lastOrdinal)) throw new Error('the export counts more events than there can be');
  if (!isComplete(header)) throw new Error('this is not the export of a merchant');
  return header;
}

/** A thousand events a second for three years. The file decides how many numbers are left to everybody else. */
const MAX_EVENTS = 100_000_000_000;

function isOrdinal(text: unknown): boolean {
  return typeof text === 'string' && /^\d{1,13}$/.test(text) && Number(text) <= MAX_EVENTS;
}

/** Anybody can write a file: what is used of its first line is what it should be. */
function isComplete({ merchant, publicUrl, createdAt }: Partial<ExportHeader>): boolean {
  return (
    typeof merchant?.id === 'string' &&
    isUuid(merchant.id) &&
    (merchant.name === null || typeof merchant.name === 'string') &&
    typeof publicUrl === 'string' &&
    URL.canParse(publicUrl) &&
    new URL(publicUrl).origin === publicUrl &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt))
  );
}
