import { runPart } from './service/processes/run-part.ts';

// A process of a service that main.ts supervises: `child.ts <name> [<port of the sandbox's chain>]`.
const [name = '', chainPort] = process.argv.slice(2);
await runPart(process.env, { name, chainPort: chainPort === undefined ? undefined : Number(chainPort) });
