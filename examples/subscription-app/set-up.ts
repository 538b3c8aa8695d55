import { FlorinConflictError, florin, type Int64, type Project } from './florin.ts';

const APP = 'Team notes';

/** By this the price is found again, also when another one takes its place. */
const LOOKUP_KEY = 'team-notes-monthly';
const TERMS = { unitAmountCents: 1200, recurringInterval: 'month', trialDays: 14 } as const;

/** A quarter off the first invoice, for anyone who knows the code. */
const OFFER = { name: 'Welcome', percentOff: 25, duration: 'once', maxPerCustomer: 1 } as const;
const CODE = 'WELCOME';

export interface Plan {
  projectId: string;
  environment: Project['environment'];
  priceId: string;
  /** Price of a seat for a month. */
  seatCents: Int64;
  trialDays: number;
}

/** The plan for sale, as Florin has it. Missing parts are created, so a second start finds everything. */
export async function setUp(): Promise<Plan> {
  const project = await findProject();
  const projectId = project.id;
  const price = await findPrice(projectId);
  await offerCode(projectId);
  return {
    projectId,
    environment: project.environment,
    priceId: price.id,
    seatCents: price.unitAmountCents,
    trialDays: price.trialDays ?? 0,
  };
}

async function findProject(): Promise<Project> {
  for await (const project of florin.projects.list()) if (project.name === APP) return project;
  return florin.projects.create({ name: APP });
}

async function findPrice(projectId: string) {
  const { data } = await florin.prices.list({ projectId, lookupKey: LOOKUP_KEY });
  if (data[0]) return data[0];
  const { id: productId } = await florin.products.create({ projectId, name: APP });
  return florin.prices.create({
    projectId,
    productId,
    billingMode: 'subscription',
    name: 'Seat',
    lookupKey: LOOKUP_KEY,
    ...TERMS,
  });
}

async function offerCode(projectId: string): Promise<void> {
  const { data } = await florin.discounts.list({ projectId });
  const discount =
    data.find(({ name }) => name === OFFER.name) ?? (await florin.discounts.create({ projectId, ...OFFER }));
  try {
    await florin.promotionCodes.create({ discountId: discount.id, code: CODE });
  } catch (error) {
    // There since an earlier start.
    if (!(error instanceof FlorinConflictError)) throw error;
  }
}
