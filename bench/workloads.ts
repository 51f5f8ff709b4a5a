import { definition, object } from './validation-definition.ts';

/** One call of a workload. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: string;
}

/** The repeated call. */
export interface Workload {
  readonly name: string;
  /** Concurrent calls. */
  readonly parallel: number;
  /** Calls before, each retried until it succeeds. */
  readonly before?: readonly Call[];
  /** Calls afterwards. */
  readonly after?: readonly Call[];
  call(i: number): Call;
}

const FILLER = 'x'.repeat(700);

/** A configmap of about 1 KB. */
export function configMap(namespace: string, name: string, value: string): string {
  const metadata = {
    name,
    namespace,
    labels: { app: 'load', shard: `s${name.at(-1)}` },
    annotations: { note: 'made by the bench' },
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value, filler: FILLER } });
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition of a kind with 300 fields and 20 rules, as text: `NAME.GROUP`. */
export function largeDefinition(plural: string, group: string): string {
  const names = { plural, singular: `${plural}-one`, kind: `Kind${plural}`, listKind: `Kind${plural}List` };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: definition } }];
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions },
  }).replaceAll('"x-orch-', '"x-kubernetes-');
}

/** Creates of an object of 4 KB that its definition's schema and rules validate. */
function customCreate(namespace: string): Workload {
  const [plural, group] = ['workloads', 'bench.example.com'];
  const path = `/apis/${group}/v1/namespaces/${namespace}/${plural}`;
  return {
    name: 'custom-create',
    parallel: 16,
    before: [
      { method: 'POST', path: DEFINITIONS, body: largeDefinition(plural, group) },
      { method: 'GET', path },
    ],
    after: [{ method: 'DELETE', path: `${DEFINITIONS}/${plural}.${group}` }],
    call(i) {
      const { labels } = object.metadata as { labels: Record<string, string> };
      const apiVersion = `${group}/v1`;
      const body = { ...object, apiVersion, kind: `Kind${plural}`, metadata: { name: `w${i}`, labels } };
      return { method: 'POST', path, body: JSON.stringify(body) };
    },
  };
}

/** Applies of one owner: each changes a value, or none changes anything. */
function apply(
  name: string,
  collection: string,
  change: (i: number) => [object: string, value: string],
): Workload {
  return {
    name,
    parallel: 16,
    call(i) {
      const [object, value] = change(i);
      return {
        method: 'PATCH',
        path: `${collection}/${object}?fieldManager=bench&force=true`,
        contentType: 'application/apply-patch+yaml',
        body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${object}"},"data":{"applied":"${value}"}}`,
      };
    },
  };
}

/** The workloads over a namespace that contains `count` objects `b00000…`, and one for new objects. */
export function workloads(full: string, fresh: string, count: number): readonly Workload[] {
  const collection = `/api/v1/namespaces/${full}/configmaps`;
  const target = `/api/v1/namespaces/${fresh}/configmaps`;
  const nameOf = (i: number): string => `b${String((i * 7919) % count).padStart(5, '0')}`;
  const view = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
  return [
    {
      name: 'create',
      parallel: 16,
      call: (i) => ({ method: 'POST', path: target, body: configMap(fresh, `c${i}`, 'v') }),
    },
    { name: 'get', parallel: 16, call: (i) => ({ method: 'GET', path: `${collection}/${nameOf(i)}` }) },
    { name: 'page of 500', parallel: 4, call: () => ({ method: 'GET', path: `${collection}?limit=500` }) },
    { name: 'whole list', parallel: 2, call: () => ({ method: 'GET', path: collection }) },
    {
      name: 'whole list in Protobuf',
      parallel: 2,
      call: () => ({
        method: 'GET',
        path: `${collection}?resourceVersion=0`,
        accept: 'application/vnd.kubernetes.protobuf',
      }),
    },
    {
      name: 'selected 10 %',
      parallel: 4,
      call: () => ({ method: 'GET', path: `${collection}?resourceVersion=0&labelSelector=shard%3Ds3` }),
    },
    {
      name: 'Table of 500',
      parallel: 4,
      call: () => ({ method: 'GET', path: `${collection}?limit=500`, accept: view('Table') }),
    },
    {
      name: 'whole list as Table',
      parallel: 4,
      call: () => ({ method: 'GET', path: `${collection}?resourceVersion=0`, accept: view('Table') }),
    },
    {
      name: 'metadata of 500',
      parallel: 4,
      call: () => ({
        method: 'GET',
        path: `${collection}?limit=500`,
        accept: view('PartialObjectMetadataList'),
      }),
    },
    {
      name: 'replace',
      parallel: 16,
      call: (i) => ({
        method: 'PUT',
        path: `${collection}/${nameOf(i)}`,
        body: configMap(full, nameOf(i), `r${i}`),
      }),
    },
    {
      name: 'merge patch',
      parallel: 16,
      call: (i) => ({
        method: 'PATCH',
        path: `${collection}/${nameOf(i)}`,
        contentType: 'application/merge-patch+json',
        body: `{"data":{"value":"p${i}"}}`,
      }),
    },
    apply('apply with a change', collection, (i) => [nameOf(i), String(i)]),
    apply('apply without a change', collection, (i) => [nameOf(i % 64), 'same']),
    {
      name: 'dry run of a create',
      parallel: 16,
      call: (i) => ({ method: 'POST', path: `${target}?dryRun=All`, body: configMap(fresh, `d${i}`, 'v') }),
    },
    customCreate(fresh),
  ];
}
