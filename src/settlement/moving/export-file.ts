/** What may be moved where: money of one network never becomes money of another. */
export interface Place {
  /** How many migrations the database had. */
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
  /** Where the merchant's pages were. */
  publicUrl: string;
  /** How far events were numbered where it came from. */
  lastOrdinal: string;
}

export interface ExportEnd {
  tables: number;
}

/** What was moved, for people. */
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
  if (!/^\d{1,13}$/.test(header.lastOrdinal))
    throw new Error('the export counts more events than there can be');
  return header;
}
