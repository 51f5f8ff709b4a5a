import { createServer } from 'node:net';
import { createSteppedClock } from '@ashlar/core/testing';
import { expect, test } from 'vitest';
import { createPostgresStore, type PostgresStoreOptions } from './create-postgres-store.ts';

const clock = createSteppedClock(0);

test.each<[PostgresStoreOptions, string]>([
  [
    { clock, connectionString: 'localhost/shop' },
    'the connection string is not a URL that begins with postgres://',
  ],
  [{ clock, connectionString: 'postgres://[[[' }, 'the connection string is not a URL'],
  [
    { clock, connectionString: 'postgres://db', schema: 'x"; DROP TABLE a' },
    'is not a name of lower case letters',
  ],
])('rejects %j', async (options, text) => {
  await expect(createPostgresStore(options)).rejects.toThrow(text);
});

test('reports that nothing listens, or something else does', async () => {
  const other = createServer((socket) => socket.end('hello\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  for (const address of ['127.0.0.1:1', `127.0.0.1:${port}`]) {
    const opened = createPostgresStore({
      clock,
      connectionString: `postgres://ann@${address}/shop`,
      openMilliseconds: 0,
    });
    await expect(opened).rejects.toMatchObject({ name: 'PostgresStoreError', fault: 'unreachable' });
  }
  other.close();
});
