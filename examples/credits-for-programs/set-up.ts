import { florin } from './florin.ts';

const PROJECT = 'Credits for programs';

/** One call costs one credit. */
export const METRIC = 'rolls';

/** Five cents for twenty calls: a call costs a quarter of a cent, which no payment could be. */
const PACK = { unitAmountCents: 5, creditAmount: 20 };

export interface Shop {
  projectId: string;
  /** Address at which programs buy credits. */
  paywallUrl: string;
}

/** Everything as Florin has it. What is missing there is made, so a second start finds the same paywall. */
export async function setUp(): Promise<Shop> {
  const projectId = await findProject();
  const [paywall] = await florin.paywalls.list({ projectId }).toArray({ limit: 1 });
  return { projectId, paywallUrl: paywall?.url ?? (await createPaywall(projectId)) };
}

async function findProject(): Promise<string> {
  for await (const { id, name } of florin.projects.list()) if (name === PROJECT) return id;
  const settings = { usageCredits: { [METRIC]: 1 } };
  return (await florin.projects.create({ name: PROJECT, settings })).id;
}

async function createPaywall(projectId: string): Promise<string> {
  const product = await florin.products.create({ projectId, name: `${PACK.creditAmount} rolls` });
  const price = await florin.prices.create({
    projectId,
    productId: product.id,
    billingMode: 'balance_top_up',
    ...PACK,
  });
  const description = `${PACK.creditAmount} rolls of the dice`;
  return (await florin.paywalls.create({ projectId, priceId: price.id, description })).url;
}
