import manifest from '../../package.json' with { type: 'json' };

/** Version of the merchant API's contract: paths, fields and statuses that callers rely on. */
export const contractVersion = '1.0.0';

/** Version of this software. */
export const version: string = manifest.version;
