import { florin, type Project } from './florin.ts';

/** The price of one call, and when the low-credits event is sent. */
export const METRIC = 'words.counted';
const settings = { usageCredits: { [METRIC]: 1 }, lowBalanceCredits: 2 };

/** A pack of credits for sale. Small, so that you see it run out. */
const PACK = { name: '5 credits', unitAmountCents: 100, creditAmount: 5 };

/** In your API: the table of your users, with a hash of each one's key. */
const USERS = [
  { name: 'ada', apiKey: 'ada-demo-key' },
  { name: 'bob', apiKey: 'bob-demo-key' },
];

export interface Account {
  name: string;
  apiKey: string;
  customerId: string;
}

export interface Plan {
  projectId: string;
  environment: Project['environment'];
  priceId: string;
  accounts: Account[];
}

/** Everything as Florin has it. What is missing there is made, so a second start finds balances as they were. */
export async function setUp(): Promise<Plan> {
  const project = await findProject('Prepaid API');
  const projectId = project.id;
  const accounts: Account[] = [];
  for (const user of USERS) {
    accounts.push({ ...user, customerId: await findCustomer(projectId, user.name) });
  }
  const priceId = await findPrice(projectId);
  return { projectId, environment: project.environment, priceId, accounts };
}

async function findProject(name: string): Promise<Project> {
  for await (const project of florin.projects.list()) if (project.name === name) return project;
  return florin.projects.create({ name, settings });
}

async function findCustomer(projectId: string, externalCustomerId: string): Promise<string> {
  const { data } = await florin.customers.list({ projectId, externalCustomerId });
  const customer = data[0] ?? (await florin.customers.create({ projectId, externalCustomerId }));
  return customer.id;
}

async function findPrice(projectId: string): Promise<string> {
  const { data } = await florin.prices.list({ projectId, billingMode: 'balance_top_up', isActive: true });
  if (data[0]) return data[0].id;
  const { name, ...terms } = PACK;
  const product = await florin.products.create({ projectId, name });
  const price = await florin.prices.create({
    projectId,
    productId: product.id,
    billingMode: 'balance_top_up',
    ...terms,
  });
  return price.id;
}
