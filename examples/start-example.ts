import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An example that runs in a process of its own. */
export interface RunningExample extends AsyncDisposable {
  /** Its URL, printed in its first line. */
  readonly url: string;
}

/**
 * Starts an example as a reader would, with the built packages if they are as new as the sources (`ASHLAR_BUILT`), otherwise with the sources.
 * @throws Error with the example's output if it exits before it serves
 */
export async function startExample(main: URL): Promise<RunningExample> {
  const conditions = process.env.ASHLAR_BUILT ? [] : ['--conditions=@ashlar/source'];
  const child = spawn(process.execPath, [...conditions, '--import', 'tsx', fileURLToPath(main)], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (bytes: Uint8Array) => {
    errors += Buffer.from(bytes).toString();
  });
  const exited = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    exited.then(() => {
      throw new Error(`the example has ended: ${errors}`);
    }),
  ]);
  const url = /https?:\/\/[^\s,]+/.exec(line)?.[0];
  if (url === undefined) throw new Error(`the first line of the example names no address: ${line}`);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
