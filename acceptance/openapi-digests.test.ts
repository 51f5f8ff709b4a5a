import { readFileSync } from 'node:fs';
import { workloadResources } from '@ashlar/apis/workloads';
import { type JsonValue, kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { type ApiServer, createApiServer, generateServiceAccountKey } from '@ashlar/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHANGED_BY_DEFINITIONS,
  DIGESTS,
  type DocumentDigests,
  describedDefinitions,
  documentDigest,
} from '../conformance/codecs/document-digests.ts';

const digests = JSON.parse(readFileSync(DIGESTS, 'utf8')) as DocumentDigests;

/** Names of the specification's own vocabulary, and those of Kubernetes in their place. */
const TRANSLATED: readonly (readonly [RegExp, string])[] = [
  [/\bio\.orch\./g, 'io.k8s.'],
  [/\bx-orch-/g, 'x-kubernetes-'],
  [/\bvnd\.orch\./g, 'vnd.kubernetes.'],
  [/\.orch\.io\b/g, '.k8s.io'],
  [/\borch-aggregator\./g, 'kube-aggregator.'],
  [/\bOrch\b/g, 'Kubernetes'],
];

const translated = (text: string): string =>
  TRANSLATED.reduce((rest, [own, other]) => rest.replace(own, other), text);

/** What is sent to a server of a vocabulary. */
const inVocabulary = (text: string, { groupDomain, extensionPrefix }: Vocabulary): string =>
  text.replaceAll('.k8s.io', `.${groupDomain}`).replaceAll('x-kubernetes-', extensionPrefix);

describe.each([kubernetesVocabulary, orchVocabulary])('OpenAPI documents ($name)', (vocabulary) => {
  let server: ApiServer;

  beforeAll(async () => {
    server = createApiServer({
      vocabulary,
      resources: workloadResources(vocabulary),
      serviceAccounts: {
        issuers: ['https://issuer.example.com'],
        signingKey: generateServiceAccountKey().key,
      },
    });
    await server.ready;
  });
  afterAll(() => server.close());

  const read = async (path: string): Promise<string> => {
    const response = await server.fetch(new Request(`http://server${inVocabulary(path, vocabulary)}`));
    return response.text();
  };
  const digestsOf = async (paths: readonly string[]): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const path of paths) {
      const text = translated(await read(path));
      found[path] = documentDigest(JSON.parse(text) as JsonValue);
    }
    return found;
  };

  it('are those of release 1.32 but for their descriptions', async () => {
    const index = JSON.parse(translated(await read('/openapi/v3'))) as { paths: object };
    const paths = ['/openapi/v2', ...Object.keys(index.paths).map((path) => `/openapi/v3/${path}`)];
    expect(await digestsOf(paths.sort())).toEqual(digests.plain);
  });

  it('describe users’ types as release 1.32 does', async () => {
    const definitions = `/apis/apiextensions.${vocabulary.groupDomain}/v1/customresourcedefinitions`;
    for (const definition of describedDefinitions()) {
      const body = inVocabulary(JSON.stringify(definition), vocabulary);
      const headers = { 'content-type': 'application/json' };
      const request = new Request(`http://server${definitions}`, { method: 'POST', body, headers });
      expect((await server.fetch(request)).status).toBe(201);
    }
    const paths = CHANGED_BY_DEFINITIONS.slice(1).map((path) => path.slice('/openapi/v3/'.length));
    await expect
      .poll(async () => Object.keys((JSON.parse(await read('/openapi/v3')) as { paths: object }).paths), {
        timeout: 20_000,
      })
      .toEqual(expect.arrayContaining(paths));
    expect(await digestsOf(CHANGED_BY_DEFINITIONS)).toEqual(digests.withDefinitions);
  });
});
