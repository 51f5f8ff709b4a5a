// Writes openapi-digests.json from the OpenAPI documents of a reference, without and with users' types:
//   npx tsx --conditions=@ashlar/source conformance/digest-openapi.ts --reference https://HOST:PORT --ca ca.crt --token TOKEN
// The acceptance tests compare with it what our servers publish. The reference must have no definitions.
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JsonValue } from '@ashlar/core';
import { Caller } from './backup/caller.ts';
import {
  CHANGED_BY_DEFINITIONS,
  DIGESTS,
  type DocumentDigests,
  describedDefinitions,
  documentDigest,
} from './codecs/document-digests.ts';
import { referenceFlags } from './peers.ts';

const { values } = parseArgs({ options: referenceFlags });
if (!values.reference) throw new Error('--reference wants the address of a server');
using caller = new Caller({ url: values.reference, token: values.token, ca: values.ca });
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const index = await caller.read<{ paths: Readonly<Record<string, unknown>> }>('/openapi/v3');
const plain = await digestsOf([
  '/openapi/v2',
  ...Object.keys(index.paths).map((path) => `/openapi/v3/${path}`),
]);
for (const body of describedDefinitions()) await caller.ask(DEFINITIONS, { method: 'POST', body });
await untilPublished();
const withDefinitions = await digestsOf(CHANGED_BY_DEFINITIONS);
for (const { metadata } of describedDefinitions())
  await caller.ask(`${DEFINITIONS}/${metadata.name}`, { method: 'DELETE' });
const digests: DocumentDigests = { plain, withDefinitions };
writeFileSync(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
console.log(`${Object.keys(plain).length} and ${Object.keys(withDefinitions).length} documents`);

async function digestsOf(paths: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of paths.toSorted()) found[path] = documentDigest(await caller.read<JsonValue>(path));
  return found;
}

/** The reference publishes new types after a while. */
async function untilPublished(): Promise<void> {
  for (;;) {
    const { paths } = await caller.read<{ paths: Readonly<Record<string, unknown>> }>('/openapi/v2');
    const isComplete = describedDefinitions().every(({ metadata }) => {
      const [plural = '', ...group] = metadata.name.split('.');
      return Object.keys(paths).some(
        (path) => path.startsWith(`/apis/${group.join('.')}/`) && path.includes(`/${plural}/{name}`),
      );
    });
    if (isComplete) return;
    await setTimeout(200);
  }
}
