import { workloadResources } from '@ashlar/apis/workloads';
import type { ResourceClient } from '@ashlar/client';
import {
  type ApiObject,
  groupName,
  kubernetesVocabulary,
  orchVocabulary,
  type Vocabulary,
} from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { nodeAmbient } from '@ashlar/http-node';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';

interface FlowSchema extends ApiObject {
  readonly spec: { readonly matchingPrecedence: number; readonly rules?: readonly object[] };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
  };
}

const PATIENT = { timeout: 60_000, interval: 5 };

async function start(vocabulary: Vocabulary): Promise<{
  readonly server: ApiServer;
  readonly clock: SteppedClock;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}> {
  const clock = createSteppedClock();
  const ambient = { ...nodeAmbient(vocabulary), clock };
  const server = createApiServer({
    ...{ vocabulary, ambient, resources: workloadResources(vocabulary) },
    // requests that run while the clock is moved are no failures
    requestTimeoutMilliseconds: 600_000,
  });
  await server.ready;
  return { server, clock, [Symbol.asyncDispose]: () => server.close() };
}

function resourceOf<T extends ApiObject>(
  { client, vocabulary }: ApiServer,
  resource: string,
  kind: string,
): ResourceClient<T> {
  return client.resource<T>({
    group: groupName(vocabulary, 'flowcontrol.apiserver.'),
    ...{ version: 'v1', resource, kind },
  });
}

const schemasOf = (server: ApiServer): ResourceClient<FlowSchema> =>
  resourceOf(server, 'flowschemas', 'FlowSchema');
const levelsOf = (server: ApiServer): ResourceClient<ApiObject> =>
  resourceOf(server, 'prioritylevelconfigurations', 'PriorityLevelConfiguration');

const danglingOf = ({ status }: FlowSchema): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Dangling')?.status;

describe.each([kubernetesVocabulary, orchVocabulary])(
  'flow-control objects, in the words of $name',
  (vocabulary) => {
    const annotation = `apf.${vocabulary.labelDomain}/autoupdate-spec`;
    const metadata = { annotations: { [annotation]: 'false' } };

    it('are there from the start', async () => {
      await using running = await start(vocabulary);
      const { items: schemas } = await schemasOf(running.server).list();
      const { items: levels } = await levelsOf(running.server).list();
      expect([schemas.length, levels.length]).toEqual([13, 8]);
      expect(schemas.every((each) => each.metadata.annotations?.[annotation] === 'true')).toBe(true);
      const dangling = async (): Promise<readonly unknown[]> => {
        const { items } = await schemasOf(running.server).list();
        return [...new Set(items.map(danglingOf))];
      };
      await expect.poll(dangling, PATIENT).toEqual(['False']);
    });

    it('are restored, but those that somebody has taken over only if every server needs them', async () => {
      await using running = await start(vocabulary);
      const { server, clock } = running;
      const schemas = schemasOf(server);
      const merge = (patch: object) => ({ type: 'merge' as const, patch: patch as never });
      await schemas.delete('probes');
      await schemas.patch('global-default', merge({ spec: { matchingPrecedence: 9800 } }));
      await schemas.patch('service-accounts', merge({ metadata, spec: { matchingPrecedence: 9001 } }));
      await schemas.patch('exempt', merge({ metadata }));
      await schemas.create({
        metadata: { name: 'former', annotations: { [annotation]: 'true' } },
        spec: { priorityLevelConfiguration: { name: 'system' }, matchingPrecedence: 5, rules: [] },
      } as never);
      clock.advance(60_000);
      const found = async (): Promise<Readonly<Record<string, unknown>>> => {
        const { items } = await schemas.list();
        return Object.fromEntries(
          items.map(({ metadata, spec }) => [
            metadata.name,
            [spec.matchingPrecedence, metadata.annotations?.[annotation]],
          ]),
        );
      };
      await expect.poll(found, PATIENT).toMatchObject({ exempt: [1, 'true'], probes: [2, 'true'] });
      const all = await found();
      expect(all).toMatchObject({ 'global-default': [9900, 'true'], 'service-accounts': [9001, 'false'] });
      await expect.poll(async () => 'former' in (await found()), PATIENT).toBe(false);
    });

    it('say whether their priority is missing', async () => {
      await using running = await start(vocabulary);
      const { server } = running;
      const [schemas, levels] = [schemasOf(server), levelsOf(server)];
      const seen = async (): Promise<string | undefined> => danglingOf(await schemas.get('own'));
      const spec = { priorityLevelConfiguration: { name: 'own' }, matchingPrecedence: 5, rules: [] };
      await schemas.create({ metadata: { name: 'own' }, spec } as never);
      await expect.poll(seen, PATIENT).toBe('True');
      const limited = { limitResponse: { type: 'Reject' } };
      await levels.create({ metadata: { name: 'own' }, spec: { type: 'Limited', limited } } as never);
      await expect.poll(seen, PATIENT).toBe('False');
      await levels.delete('own');
      await expect.poll(seen, PATIENT).toBe('True');
    });

    it('that every server needs cannot be changed', async () => {
      await using running = await start(vocabulary);
      const change = { type: 'merge' as const, patch: { spec: { matchingPrecedence: 9999 } } };
      await expect(schemasOf(running.server).patch('catch-all', change)).rejects.toThrow(
        "spec of 'catch-all' must equal the fixed value",
      );
      const level = { type: 'merge' as const, patch: { spec: { limited: { nominalConcurrencyShares: 6 } } } };
      await expect(levelsOf(running.server).patch('catch-all', level)).rejects.toThrow(
        'must equal the fixed value',
      );
      const shares = { type: 'merge' as const, patch: { spec: { exempt: { nominalConcurrencyShares: 6 } } } };
      await expect(levelsOf(running.server).patch('exempt', shares)).resolves.toBeDefined();
    });
  },
);
