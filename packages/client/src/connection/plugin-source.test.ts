import { encodeUtf8 } from '@ashlar/codec';
import { describe, expect, it } from 'vitest';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import type { InteractiveMode } from './exec-plugin.ts';
import { type PluginOutcome, PluginSource } from './plugin-source.ts';

const V1 = 'client.authentication.k8s.io/v1';

function printed(status: object): PluginOutcome {
  const output = encodeUtf8(JSON.stringify({ apiVersion: V1, kind: 'ExecCredential', status }));
  return { outcome: 'ended', code: 0, output };
}

interface SetUp {
  readonly interactiveMode?: InteractiveMode;
  readonly terminal?: boolean;
  readonly installHint?: string;
}

/** A plugin whose runs end as configured, the last configuration for ever. */
function setUp(
  outcomes: readonly PluginOutcome[],
  { interactiveMode = 'Never', terminal = false, installHint }: SetUp = {},
) {
  const ambient = createManualAmbient();
  const runs: boolean[] = [];
  const retired: string[] = [];
  const source = new PluginSource({
    plugin: {
      ...{ command: 'a-plugin', args: [], variables: {}, apiVersion: V1, provideClusterInfo: false },
      ...{ installHint, interactiveMode },
    },
    ...{ ambient, terminal },
    run: async (interactive) => {
      const outcome = outcomes[Math.min(runs.length, outcomes.length - 1)] as PluginOutcome;
      runs.push(interactive);
      return outcome;
    },
    checkKeyPair: (certificate, key) => {
      if (certificate !== key.toUpperCase()) throw new Error('its key is not that of its certificate');
    },
    retire: (certificate) => retired.push(certificate),
  });
  return { ambient, source, runs, retired };
}

const pair = (name: string) => ({ clientCertificateData: name.toUpperCase(), clientKeyData: name });

describe('credentials of a plugin', () => {
  it('are cached until a 401 if they do not expire', async () => {
    const { source, runs, ambient } = setUp([printed({ token: 'a' }), printed({ token: 'b' })]);
    const first = await source.current();
    await ambient.advance(1e9);
    expect(await source.current()).toBe(first);
    source.reject(first);
    const second = await source.current();
    expect([first, second]).toEqual([{ authorization: 'Bearer a' }, { authorization: 'Bearer b' }]);
    // credentials rejected before are no longer checked
    source.reject(first);
    expect(await source.current()).toBe(second);
    expect(runs).toHaveLength(2);
  });

  it('are cached until they expire, or until a 401', async () => {
    const expirationTimestamp = '1970-01-01T00:01:00Z';
    const { source, runs, ambient } = setUp([
      printed({ token: 'a', expirationTimestamp }),
      printed({ token: 'b' }),
    ]);
    const first = await source.current();
    await ambient.advance(60_000);
    expect(await source.current()).toBe(first);
    await ambient.advance(1);
    expect(await source.current()).toEqual({ authorization: 'Bearer b' });
    expect(runs).toHaveLength(2);
  });

  it('are requested once by all concurrent callers', async () => {
    const { source, runs } = setUp([printed({ token: 'a' })]);
    const all = await Promise.all([source.current(), source.current(), source.current()]);
    expect(new Set(all).size).toBe(1);
    expect(runs).toHaveLength(1);
  });

  it('close the connections of a replaced certificate', async () => {
    const { source, retired } = setUp([
      ...[
        printed(pair('a')),
        printed({ ...pair('a'), token: 't' }),
        printed(pair('b')),
        printed({ token: 't' }),
      ],
    ]);
    const received: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      source.reject(await source.current());
      received.push([...retired]);
    }
    expect(received).toEqual([[], [], ['A'], ['A', 'B']]);
  });

  it.each([
    ['Never', false, [false]],
    ['Never', true, [false]],
    ['IfAvailable', false, [false]],
    ['IfAvailable', true, [true]],
    ['Always', true, [true]],
  ] as const)(
    'are requested in mode %s, a terminal %s, with the input %s',
    async (interactiveMode, terminal, received) => {
      const { source, runs } = setUp([printed({ token: 'a' })], { interactiveMode, terminal });
      await source.current();
      expect(runs).toEqual(received);
    },
  );

  it('are not requested without a terminal if one is required', async () => {
    const { source, runs } = setUp([printed({ token: 'a' })], { interactiveMode: 'Always' });
    await expect(source.current()).rejects.toThrow(
      'the credential plugin a-plugin: its interactiveMode is Always, and there is no terminal',
    );
    expect(runs).toEqual([]);
  });

  const noise = { code: 3, output: encodeUtf8('S3CRET') };
  it.each<[PluginOutcome, string]>([
    [{ outcome: 'missing' }, 'its command cannot be found\n\nget it'],
    [{ outcome: 'failed', reason: 'it cannot be started (EACCES)' }, 'it cannot be started (EACCES)'],
    [{ outcome: 'killed', signal: 'SIGTERM' }, 'it was ended by SIGTERM'],
    [{ outcome: 'ended', ...noise }, 'it ended with exit code 3'],
    [{ outcome: 'ended', ...noise, code: 0 }, `it did not print an ExecCredential of ${V1}`],
    [
      printed({ clientCertificateData: 'S3CRET', clientKeyData: 'x' }),
      'its key is not that of its certificate',
    ],
  ])('are missing after a run that ends with %j', async (outcome, message) => {
    const { source, runs } = setUp([outcome, printed({ token: 'a' })], { installHint: 'get it' });
    await expect(source.current()).rejects.toMatchObject({
      name: 'CredentialPluginError',
      message: `the credential plugin a-plugin: ${message}`,
    });
    // and the next caller tries again
    expect(await source.current()).toEqual({ authorization: 'Bearer a' });
    expect(runs).toHaveLength(2);
  });
});
