const {
  DefaultJobQueuePlugin,
  DefaultLogger,
  DefaultSchedulerPlugin,
  LogLevel,
  dummyPaymentHandler,
} = require('@vendure/core');

/** Settings that `@vendure/create` writes for PostgreSQL, without the dashboard, files, search and mail, which nobody uses here. */
exports.config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT), trustProxy: false },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'bench', password: process.env.COOKIE_SECRET },
    cookieOptions: { secret: process.env.COOKIE_SECRET },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: process.env.PGHOST,
    username: 'florin',
    database: 'vendure',
    synchronize: false,
    migrations: [],
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Info }),
  plugins: [DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }), DefaultSchedulerPlugin.init()],
};
