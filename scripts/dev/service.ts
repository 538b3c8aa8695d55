import { run } from '../../src/main.ts';

/**
 * The service as `npm run dev` runs it: it reports when it is ready, leaves the dashboard to Vite, and stops when the
 * process that started it is gone, however that one ended.
 */
await run(process.env, { buildsDashboard: false });
const stop = () => process.kill(process.pid, 'SIGTERM');
process.on('disconnect', stop);
if (process.connected) process.send?.('ready');
else stop();
