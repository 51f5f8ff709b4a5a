// Creates one object of each kind on a reference, and writes what its etcd stores and what it answers to `recorded.jsonl`, which
// acceptance/recorded-backup.test.ts compares with what `--snapshot` serves:
//   npx tsx --conditions=@ashlar/source conformance/backup/record.ts --reference https://HOST:PORT --ca ca.crt --etcd http://HOST:PORT
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isJsonObject, type JsonObject } from '@ashlar/core';
import { readSnapshot } from '@ashlar/storage-etcd';
import { Caller } from './caller.ts';
import { type Collection, listPath, pathIn } from './collections.ts';
import { comparable, type Form, forms } from './comparable.ts';
import { createDefinitions, customTypes } from './custom-types.ts';
import { saveSnapshot } from './etcd-snapshot.ts';
import { intercepts, recordedObjects } from './recorded-writes.ts';

const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    ca: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
    etcd: { type: 'string' },
  },
});
const NAMESPACE = 'recorded';
const LABELS: JsonObject = { recorded: 'yes' };
const SELECTED = 'labelSelector=recorded%3Dyes';

/** Kinds that the recorded scenarios of workloads do not create. */
const plainObjects: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { b: 'x\ny <&>', a: '' },
    immutable: true,
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a' },
    stringData: { k: 'v' },
    type: 'example.com/key',
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ name: 'a' }] },
  {
    ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } },
    spec: { holderIdentity: 'h', leaseDurationSeconds: 5, renewTime: '2025-01-02T03:04:05.678901Z' },
  },
  {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'a' } },
    ...{
      involvedObject: { kind: 'Pod', name: 'p', namespace: NAMESPACE },
      reason: 'Made',
      message: 'made it',
    },
    ...{ type: 'Normal', count: 3, source: { component: 'maker' }, lastTimestamp: '2025-01-02T03:04:05Z' },
  },
  {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'recorded' } },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  },
];

const { reference, ca, token, etcd } = values;
if (!reference || !ca || !etcd)
  throw new Error('--reference, --ca and --etcd want a kube-apiserver and the etcd behind it');
using caller = new Caller({ url: reference, ca, token });
const folder = mkdtempSync(join(tmpdir(), 'backup-'));
try {
  const namespace = { metadata: { name: NAMESPACE, labels: LABELS } };
  await caller.ask('/api/v1/namespaces', { method: 'POST', body: namespace });
  const types = await createObjects();
  await saveSnapshot(etcd, join(folder, 'snapshot.db'));
  const { entries } = readSnapshot(join(folder, 'snapshot.db'));
  const stored = entries.filter(({ value }) => Buffer.from(value).includes('recorded'));
  const lines: object[] = stored.map(({ key, revision, value }) => ({
    ...{ key, revision },
    value: Buffer.from(value).toString('base64'),
  }));
  for (const type of types) for (const form of formsOf(type)) lines.push(await answer(type, form));
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(import.meta.dirname, 'recorded.jsonl'), `${text}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Creates the first recorded object of each kind, and objects of custom types. */
async function createObjects(): Promise<Collection[]> {
  const served = await createDefinitions(caller, { labels: LABELS });
  const recorded = recordedObjects(join(import.meta.dirname, '..'));
  const objects = [
    ...plainObjects,
    ...recorded.filter((object) => !intercepts(object)),
    ...customTypes.flatMap((type) => type.objects),
    ...recorded.filter(intercepts),
  ];
  const found = new Map([
    ['/api/v1/namespaces', 1],
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', customTypes.length],
  ]);
  for (const object of objects) {
    const type = served.find(
      ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
    );
    if (!type?.creatable || (found.get(listPath(type)) ?? 0) >= (type.custom ? 2 : 1)) continue;
    if (await create(type, object)) found.set(listPath(type), (found.get(listPath(type)) ?? 0) + 1);
  }
  return served.filter((type) =>
    served.some((other) => other.plural === type.plural && found.has(listPath(other))),
  );
}

async function create(type: Collection, object: JsonObject): Promise<boolean> {
  const given = isJsonObject(object.metadata) ? object.metadata : {};
  const labels = { ...(given.labels as JsonObject | undefined), ...LABELS };
  const { namespace: _, ...metadata } = given;
  const name = typeof given.name === 'string' && given.name.includes('$') ? 'recorded' : given.name;
  const body = { ...object, metadata: { ...metadata, name, labels } } as JsonObject;
  const { status } = await caller.ask(pathIn(type, NAMESPACE), { method: 'POST', body });
  return status === 201;
}

function formsOf({ custom }: Collection): Form[] {
  return custom ? ['json', 'table'] : ['json', 'table', 'protobuf'];
}

async function answer(type: Collection, form: Form): Promise<object> {
  const path = `${listPath(type)}?${SELECTED}`;
  const { status, body } = await caller.ask(path, { accept: forms[form] });
  if (status !== 200) throw new Error(`${path}: ${status} ${body.toString()}`);
  return { path, form, answer: comparable(form, true, body) };
}
