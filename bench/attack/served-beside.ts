import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { Target } from './attack.ts';

/** Starts a server of others on this machine, which the attacked one calls; it has its certificate, for `localhost`. */
export async function startBeside(target: Target, listener: RequestListener): Promise<Server> {
  const folder = join(target.folder, '.ashlar');
  const files = {
    cert: readFileSync(join(folder, 'server.crt')),
    key: readFileSync(join(folder, 'server.key')),
  };
  const server = createServer(files, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The authority of that certificate, as configurations have it. */
export const authorityOf = ({ folder }: Target): string =>
  readFileSync(join(folder, '.ashlar/ca.crt')).toString('base64');
