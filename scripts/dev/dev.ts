import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { dashboardLanguage, pageIn } from '../../src/pages/dashboard/language.ts';
import type { Language } from '../../src/platform/lib/language.ts';
import { listWrappers, onWrapperEnd } from '../../src/service/wrapper-processes.ts';
import config from '../../web/vite.config.ts';
import { type RestartingService, startRestartingService } from './restarting-service.ts';
import { watchFiles } from './watch-files.ts';

const root = join(import.meta.dirname, '../..');
const WATCHED = ['src', 'site', 'sandbox-chain/src', 'migrations', 'docs', 'openapi.json', 'package.json'];

if (import.meta.main) await dev();

/**
 * `npm run dev`: the whole service at one address, for working on it. Vite serves the dashboard and replaces modules in
 * the open page; everything else goes to the service, which restarts when its sources change. Browsers see one origin,
 * PUBLIC_URL, so cookies, CSRF checks and passkeys work as they do in production.
 */
async function dev(): Promise<void> {
  process.chdir(root);
  const wrappers = listWrappers();
  const port = Number(process.env.PORT || 4020);
  const servicePort = await freePort();
  const service = startRestartingService({
    env: serviceEnv(port, servicePort),
    nodeOptions: process.argv.slice(2),
    say,
  });
  const watcher = watchFiles(WATCHED, (path) => {
    say(`${path} changed; restarting …`);
    service.restart();
  });
  const vite = startVite(port, servicePort, service);

  let isStopping = false;
  async function stop(code: number): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    watcher.close();
    await Promise.all([service.stop(), vite.then((server) => server.close()).catch(() => {})]);
    process.exit(code);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
  onWrapperEnd(wrappers, () => stop(0));

  try {
    await vite;
    await service.ready();
    say(
      `Watching ${WATCHED.join(', ')}; the dashboard updates in place. The service itself is on port ${servicePort}.`,
    );
    say('Ctrl-C stops everything.');
  } catch (error) {
    process.stderr.write(`npm run dev cannot start: ${(error as Error).message}\n`);
    await stop(1);
  }
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

function serviceEnv(port: number, servicePort: number): NodeJS.ProcessEnv {
  const { PUBLIC_URL = '' } = process.env;
  return {
    ...process.env,
    PORT: String(servicePort),
    HOST: '127.0.0.1',
    // By name, not by address: browsers make passkeys for localhost, and none for 127.0.0.1.
    PUBLIC_URL: PUBLIC_URL || `http://localhost:${port}`,
  };
}

async function startVite(
  port: number,
  servicePort: number,
  service: RestartingService,
): Promise<ViteDevServer> {
  const server = await createServer({
    ...config,
    configFile: false,
    cacheDir: join(root, 'node_modules/.cache/vite-dev'),
    plugins: [...config.plugins, waitForService(service), speakLanguage(), leaveOutPreload()],
    logLevel: 'warn',
    server: {
      host: process.env.HOST || 'localhost',
      port,
      strictPort: true,
      // Everything but the dashboard. Host stays as the browser sent it: the service compares it with Origin.
      proxy: { '^/(?!dashboard(?:[/?]|$))': { target: `http://127.0.0.1:${servicePort}` } },
    },
  });
  return server.listen();
}

/** Vite finds files outside of `web/` for a build, and not where it serves them. */
function leaveOutPreload(): Plugin {
  return {
    name: 'leave-out-preload',
    transformIndexHtml: (html) => html.replace(/<link\s+rel="preload"[^>]*>/, ''),
  };
}

/** Puts the language's sentences before the other scripts, as the service does with the built page. */
function speakLanguage(): Plugin {
  let language: Language = 'en';
  return {
    name: 'speak-language',
    configureServer({ middlewares }) {
      middlewares.use(({ headers }, _response, next) => {
        if (headers.accept?.includes('text/html')) language = dashboardLanguage(headers);
        next();
      });
    },
    transformIndexHtml: (html) =>
      pageIn(language, html, language === 'en' ? undefined : `/dashboard/src/words/${language}.ts`),
  };
}

/** A request during a restart is answered after it, instead of failing. Vite itself knows the dashboard only with its last slash. */
function waitForService(service: RestartingService): Plugin {
  return {
    name: 'wait-for-service',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (request.url === '/dashboard') response.writeHead(302, { Location: '/dashboard/' }).end();
        else service.ready().then(() => next(), next);
      });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
