import { describe, expect, it } from 'vitest';
import { bytesOf, encryptSecrets, SECRETS, TestKeyService, textOf } from '../encryption.fixture.ts';

const KEY = bytesOf('/registry/secrets/default/a');
const kms = { kms: { apiVersion: 'v2', name: 'cloud', endpoint: 'unix:///run/kms.sock' } };

async function started(service: TestKeyService = new TestKeyService()) {
  const { encryption, ambient, metrics } = encryptSecrets([kms], { service });
  const reports: string[] = [];
  await encryption.start((error) => reports.push(error.message));
  const transformer = encryption.transformerOf(SECRETS);
  const write = async (text: string): Promise<Uint8Array> => transformer.toStorage(bytesOf(text), KEY);
  const read = async (stored: Uint8Array): Promise<[string, boolean]> => {
    const { plaintext, isStale } = await transformer.fromStorage(stored, KEY);
    return [textOf(plaintext), isStale];
  };
  return { service, encryption, clock: ambient.clock, metrics, reports, write, read };
}

/** Lets promises that are under way settle. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('a key service', () => {
  it('is called once for a data key, not for each value', async () => {
    const { service, write, read } = await started();
    for (let i = 0; i < 10; i++) expect(await read(await write('{}'))).toEqual(['{}', false]);
    expect(service.calls).toEqual(['status', 'encrypt']);
  });

  it('decrypts a data key of another server once, also for concurrent readers', async () => {
    const stored = await (await started()).write('{}');
    const { service, read, metrics } = await started();
    const reads = await Promise.all([read(stored), read(stored), read(stored)]);
    expect(reads).toEqual([
      ['{}', false],
      ['{}', false],
      ['{}', false],
    ]);
    expect(service.calls.filter((call) => call === 'decrypt')).toHaveLength(1);
    expect(metrics.text()).toContain('apiserver_storage_envelope_transformation_cache_misses_total 1');
  });

  it('forgets a decrypted data key after an hour', async () => {
    const stored = await (await started()).write('{}');
    const { service, read, clock } = await started();
    await read(stored);
    clock.advance(3_600_000);
    await read(stored);
    expect(service.calls.filter((call) => call === 'decrypt')).toHaveLength(2);
  });

  it('gets a new data key when its key changes, in the background', async () => {
    const { service, write, read, clock } = await started();
    const before = await write('old');
    service.keyId = 'key-2';
    clock.advance(60_000);
    await settled();
    expect(await read(before)).toEqual(['old', true]);
    expect(await read(await write('new'))).toEqual(['new', false]);
  });

  it('may fail for three minutes before writes are refused; values go on being read', async () => {
    const { service, write, read, clock, reports } = await started();
    const stored = await write('{}');
    service.failure = 'down';
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(60_000);
      await settled();
    }
    expect(reports.at(-1)).toBe(
      'failed to perform status section of the healthz check for KMS Provider cloud, error: down',
    );
    await write('{}');
    clock.advance(1);
    await expect(write('{}')).rejects.toThrow(
      /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]+" expired at /,
    );
    expect(await read(stored)).toEqual(['{}', false]);
    service.failure = undefined;
    clock.advance(10_000);
    await settled();
    await write('{}');
  });

  it('is asked at most every 20 seconds by health checks, every 3 while it fails', async () => {
    const { service, encryption, clock } = await started();
    const [check] = encryption.checks;
    await check?.check();
    expect(service.calls.filter((call) => call === 'status')).toHaveLength(1);
    clock.advance(20_000);
    service.failure = 'down';
    await expect(check?.check()).rejects.toThrow(
      'kms-provider-0: failed to perform status section of the healthz check for KMS Provider cloud, error: down',
    );
    await expect(check?.check()).rejects.toThrow('down');
    expect(service.calls.filter((call) => call === 'status')).toHaveLength(2);
    service.failure = undefined;
    clock.advance(3000);
    await check?.check();
  });

  it('ends, and is no longer asked, after the encryption was disposed', async () => {
    const { service, encryption, clock } = await started();
    encryption[Symbol.dispose]();
    expect(clock.pending()).toEqual([]);
    clock.advance(600_000);
    expect(service.calls).toEqual(['status', 'encrypt', 'end']);
  });
});
