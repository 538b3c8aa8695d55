const { bootstrap } = require('@vendure/core');
const { populate } = require('@vendure/core/cli');
const { join } = require('node:path');
const { config } = require('./vendure-config.js');

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 19 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [
    {
      name: 'Test',
      handler: {
        code: 'dummy-payment-handler',
        arguments: [{ name: 'automaticSettle', value: 'false' }],
      },
    },
  ],
  collections: [],
};

/** Tables, the settings of a small shop, and three products. */
async function fill() {
  const created = { ...config, dbConnectionOptions: { ...config.dbConnectionOptions, synchronize: true } };
  const app = await populate(() => bootstrap(created), initialData, join(__dirname, 'products.csv'));
  await app.close();
}

fill().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
