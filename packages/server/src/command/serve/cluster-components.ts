import type { ClusterComponent, ComponentHealth } from '@ashlar/apis/workloads';
import {
  type Clock,
  callOut,
  errorMessage,
  goQuote,
  LateResponseError,
  type MaybePromise,
  type OutgoingResponse,
  type Transport,
} from '@ashlar/core';
import { createStorageCheck } from '../../health/storage-check.ts';

/** Components of a cluster that run on the machine of its server by default, with the ports of their health checks. */
const ON_THIS_MACHINE = { 'controller-manager': 10257, scheduler: 10259 };
const TIMEOUT_MILLISECONDS = 20_000;
/** How much of the answer of a component is shown, and how much is read. */
const SHOWN_BYTES = 10_240;
const READ_BYTES = 1024 * 1024;

/** How components are asked. */
export interface ComponentAccess {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly storage: { currentRevision(): MaybePromise<unknown> };
}

/** Returns the components whose health `componentstatuses` tells: those on this machine, and the storage by its usual name. */
export function clusterComponents(access: ComponentAccess): readonly ClusterComponent[] {
  const others = Object.entries(ON_THIS_MACHINE).map(([name, port]) => ({
    name,
    check: () => checkPort(access, port),
  }));
  const check = createStorageCheck({ request: () => access.storage.currentRevision() }, access.clock);
  return [...others, { name: 'etcd-0', check: () => checkStorage(check) }];
}

async function checkStorage(check: () => void | Promise<void>): Promise<ComponentHealth> {
  try {
    await check();
    return { status: 'True', message: 'ok' };
  } catch (error) {
    return { status: 'False', error: errorMessage(error) };
  }
}

/** Components on the same machine have certificates of their own, which nothing verifies. */
async function checkPort({ transport, clock }: ComponentAccess, port: number): Promise<ComponentHealth> {
  const address = `127.0.0.1:${port}`;
  const url = `https://${address}/healthz`;
  const limits = { transport, clock, timeoutMilliseconds: TIMEOUT_MILLISECONDS, maximumBytes: READ_BYTES };
  try {
    return healthOf(await callOut(limits, url, { method: 'GET', tls: { insecure: true } }));
  } catch (error) {
    return { status: 'False', message: `Get ${goQuote(url)}: ${reasonOf(error, address)}` };
  }
}

function healthOf({ status, bytes }: OutgoingResponse): ComponentHealth {
  if (status < 200 || status > 399)
    return { status: 'False', message: `HTTP probe failed with statuscode: ${status}` };
  const message = new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES));
  if (status < 300) return { status: 'True', message };
  return { status: 'Unknown', message: `Probe terminated redirects, Response body: ${message}` };
}

function reasonOf(error: unknown, address: string): string {
  if (LateResponseError.is(error)) return 'context deadline exceeded';
  if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED')
    return `dial tcp ${address}: connect: connection refused`;
  return errorMessage(error);
}
