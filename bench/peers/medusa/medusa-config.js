const { defineConfig } = require('@medusajs/framework/utils');

/** Settings of their starter, but without the dashboard, which nobody opens here. */
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    // The server listens on a socket of the same machine.
    databaseDriverOptions: { ssl: false },
    http: {
      storeCors: process.env.STORE_CORS,
      adminCors: process.env.ADMIN_CORS,
      authCors: process.env.AUTH_CORS,
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  admin: { disable: true },
});
