import { registerHooks } from 'node:module';

/** Preloaded, so that `@solana/mpp` gets the newest `mppx` that it allows, and not the oldest. Neither is modified. */
registerHooks({
  resolve(specifier, context, next) {
    if (!/^mppx($|\/)/.test(specifier)) return next(specifier, context);
    return next(specifier.replace('mppx', 'mppx-newest'), { ...context, parentURL: import.meta.url });
  },
});
