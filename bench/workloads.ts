/** One call of a workload. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: string;
}

/** What is asked, over and over. */
export interface Workload {
  readonly name: string;
  /** Calls under way at once. */
  readonly parallel: number;
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

/** The workloads over a namespace that holds `count` objects `b00000…`, and one that new objects go into. */
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
  ];
}
