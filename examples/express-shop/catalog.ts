import { florin, type Int64, type Project } from './florin.ts';

const SHOP = 'Example shop';

const GOODS = [
  { name: 'Espresso beans, 1 kg', amountCents: 2400 },
  { name: 'Pour-over kettle', amountCents: 5900 },
  { name: 'Cups & saucers <set of 2>', amountCents: 1850 },
];

export interface Product {
  name: string;
  amountCents: Int64;
  priceId: string;
}

export interface Catalog {
  projectId: string;
  environment: Project['environment'];
  products: Product[];
}

/** The shop's products, as Florin has them. Missing ones are created, so a second start finds everything. */
export async function loadCatalog(): Promise<Catalog> {
  const project =
    (await find(florin.projects.list(), ({ name }) => name === SHOP)) ??
    (await florin.projects.create({ name: SHOP }));
  const products: Product[] = [];
  for (const goods of GOODS) products.push(await loadProduct(project.id, goods));
  return { projectId: project.id, environment: project.environment, products };
}

async function loadProduct(projectId: string, { name, amountCents }: (typeof GOODS)[number]) {
  const product =
    (await find(florin.products.list({ projectId }), (each) => each.name === name)) ??
    (await florin.products.create({ projectId, name }));
  const productId = product.id;
  const price =
    (await find(
      florin.prices.list({ projectId, productId, isActive: true }),
      ({ unitAmountCents }) => unitAmountCents === amountCents,
    )) ??
    (await florin.prices.create({
      projectId,
      productId,
      billingMode: 'one_time',
      unitAmountCents: amountCents,
    }));
  return { name, amountCents: price.unitAmountCents, priceId: price.id };
}

/** The first that fits; pages are fetched only until then. */
async function find<Item>(items: AsyncIterable<Item>, isWanted: (item: Item) => boolean) {
  for await (const item of items) if (isWanted(item)) return item;
  return undefined;
}
