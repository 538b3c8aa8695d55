import { randomBytes } from 'node:crypto';
import { createMerchant } from '../src/accounts/merchants/create-merchant.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { secretBox } from '../src/platform/lib/secret-box.ts';
import { socketFolder, type Workshop } from './workshop.ts';

export interface BenchMerchant {
  id: string;
  key: string;
  payoutAddress: string;
}

export interface BenchDatabase {
  merchants: BenchMerchant[];
  /** Settings with which a service process runs on it. */
  env: { DATABASE_URL: string; FLORIN_SECRET_KEY: string };
}

/** A database of its own on a running server, with merchants in it. */
export async function createDatabase(
  shop: Workshop,
  data: string,
  database: string,
  payoutAddresses: readonly string[],
): Promise<BenchDatabase> {
  const secretKey = randomBytes(32);
  const admin = await shop.connect(data, 'postgres');
  await admin.query(`create database ${database}`);
  const db = openDatabase({ connection: { host: socketFolder(data), user: 'florin', database } });
  await migrate(db);
  const secrets = secretBox(secretKey);
  const merchants = await db.transaction(async (tx) => {
    const made: BenchMerchant[] = [];
    for (const [i, payoutAddress] of payoutAddresses.entries()) {
      const created = await createMerchant(tx, secrets, {
        name: `Shop ${i + 1}`,
        payoutAddress,
        environment: 'devnet',
        now: new Date(),
      });
      made.push({ id: created.merchant.id, key: created.key.raw, payoutAddress });
    }
    return made;
  });
  await db.close();
  return {
    merchants,
    env: {
      DATABASE_URL: `postgres:///${database}?host=${socketFolder(data)}&user=florin`,
      FLORIN_SECRET_KEY: secretKey.toString('hex'),
    },
  };
}
