import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '@ashlar/server/command';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: night-owls.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: night-owls, kind: NightOwl}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec: {type: object, required: [size], properties: {size: {type: integer}}}
          status: {type: object, properties: {phase: {type: string, enum: [Awake, Asleep]}}}
`;

/** A controller, as an application has it, and what must not compile. */
const CONTROLLER = `import { type Client, createInformer, createWorkQueue, keyOf, parseKey } from '@ashlar/client';
import type { Ambient } from '@ashlar/core';
import { nightOwls } from './generated/example.com.ts';

export async function watchOwls(client: Client, ambient: Ambient): Promise<void> {
  const owls = client.resource(nightOwls);
  await owls.namespace('a').create({ metadata: { name: 'owl' }, spec: { size: 3 } });
  // @ts-expect-error: the size is a number
  await owls.namespace('a').create({ metadata: { name: 'owl' }, spec: { size: 'large' } });
  await using informer = createInformer(owls);
  using queue = createWorkQueue({ ambient });
  informer.addHandler({
    updated: (owl, before) => owl.spec.size !== before.spec.size && queue.add(keyOf(owl)),
  });
  await queue.run(async (key) => {
    const { namespace, name } = parseKey(key);
    const owl = informer.get(namespace, name);
    const phase: 'Awake' | 'Asleep' | undefined = owl?.status?.phase;
    // @ts-expect-error: there is no such field
    console.log(phase, owl?.spec.colour);
  });
}
`;

let folder: string;
beforeAll(() => {
  // packages are found from below the root
  folder = mkdtempSync(join(root, 'acceptance', 'generated-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('clients, informers and controllers have the types that ashlar types generates', async () => {
  writeFileSync(join(folder, 'owls.yaml'), DEFINITION);
  const status = await runCommand(['types', '--out', join(folder, 'generated'), join(folder, 'owls.yaml')], {
    stdout: () => {},
    stderr: () => {},
    signal: new AbortController().signal,
  });
  expect(status).toBe(0);
  writeFileSync(join(folder, 'controller.ts'), CONTROLLER);
  const compilerOptions = {
    customConditions: process.env.ASHLAR_DIST ? [] : ['@ashlar/source'],
    ...{ incremental: false, tsBuildInfoFile: null },
  };
  const configuration = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['.'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout.split('\n').filter((line) => line.includes('error TS') && !line.startsWith('../'))).toEqual(
    [],
  );
});
