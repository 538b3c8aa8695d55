import { randomUUID } from 'node:crypto';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { TestMerchant, TestService } from './service.ts';

/** A merchant with a project whose customers use something. */
export interface UsageShop extends TestMerchant {
  projectId: string;
  createProject(settings?: object): Promise<string>;
  createCustomer(credits?: number, projectId?: string): Promise<string>;
  /** A body that is right and was never sent before. */
  usage(changes?: object): Record<string, unknown>;
  countRecords(): Promise<number>;
  creditsOf(customerId: string): Promise<bigint>;
}

export async function usageShop(service: TestService, settings: object = {}): Promise<UsageShop> {
  const { db, clock } = service;
  const shop = await service.createMerchant();
  const createProject = async (chosen: object = {}) => {
    const id = newId(clock.now());
    await db.query(
      `insert into projects (merchant_id, id, name, settings, created_at, updated_at) values ($1, $2, 'p', $3, now(), now())`,
      [shop.id, id, JSON.stringify(chosen)],
    );
    return id;
  };
  const projectId = await createProject(settings);
  return {
    ...shop,
    projectId,
    createProject,
    async createCustomer(credits = 0, project = projectId) {
      const id = newId(clock.now());
      await db.query(
        'insert into customers (merchant_id, id, project_id, created_at) values ($1, $2, $3, now())',
        [shop.id, id, project],
      );
      if (credits > 0) {
        const body = { deltaCredits: credits, reason: 'test' };
        const { status } = await shop.call('POST', `/api/v2/customers/${id}/balance-adjustments`, body);
        if (status >= 300) throw new Error(`the credits were refused: ${status}`);
      }
      return id;
    },
    usage: (changes) => ({
      projectId,
      metric: 'api.calls',
      quantity: 1,
      idempotencyKey: randomUUID(),
      ...changes,
    }),
    async countRecords() {
      const [row] = await db.query<{ count: number }>(
        'select count(*)::int as count from usage_records where merchant_id = $1',
        [shop.id],
      );
      return row!.count;
    },
    async creditsOf(customerId) {
      const [row] = await db.query<{ credits: bigint }>(
        'select credits from balances where customer_id = $1',
        [customerId],
      );
      return row?.credits ?? 0n;
    },
  };
}

/** The names of the invariants that the database breaks: none, one hopes. */
export async function brokenInvariants({ db }: TestService): Promise<string[]> {
  const results = await checkInvariants(db, invariants);
  return results.filter(({ violations }) => violations.length > 0).map(({ name }) => name);
}
