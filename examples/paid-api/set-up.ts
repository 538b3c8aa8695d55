import { florin } from './florin.ts';

export interface Seller {
  /** The project that the invoices belong to. */
  projectId: string;
  /** The payout address of your account, which the money goes to. */
  payTo: string;
  /** As x402 names it. */
  network: `${string}:${string}`;
}

const PROJECT = 'Paid API';

/** Everything as Florin has it. A project that is missing is made, so a second start finds the same one. */
export async function setUp(): Promise<Seller> {
  const { payoutAddress } = await florin.merchant.retrieve();
  if (payoutAddress === null) throw new Error('Set a payout address first.');
  const [kind] = (await florin.x402.supported()).kinds;
  if (!kind) throw new Error('This Florin has no fee payer: set FEE_PAYER_KEY_FILE.');
  return {
    projectId: await findProject(),
    payTo: payoutAddress,
    network: kind.network as Seller['network'],
  };
}

async function findProject(): Promise<string> {
  for await (const { id, name } of florin.projects.list()) if (name === PROJECT) return id;
  return (await florin.projects.create({ name: PROJECT })).id;
}
