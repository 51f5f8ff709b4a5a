import { errorMessage } from '@ashlar/core';
import type { BackendServices, ServicePort } from '../backends/backend.ts';
import { type BackendConnection, callBackend } from '../backends/call-backend.ts';
import { type Availability, PASSED } from './available-condition.ts';

/** How long a server may take to answer. */
const TIMEOUT_MILLISECONDS = 6_000;
/** Number of concurrent attempts before it counts as unavailable. */
const ATTEMPTS = 5;
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/** What is checked of an API service. */
export interface CheckedService {
  readonly service: ServicePort;
  readonly group: string;
  readonly version: string;
  /** The server at an origin; its certificate is not verified here, only for requests. */
  backendAt(origin: string): BackendConnection;
}

/** Checks whether the server of an API service can be used (semantics/discovery#aggregation). Never rejects. */
export async function checkAvailability(
  services: BackendServices,
  { service, group, version, backendAt }: CheckedService,
): Promise<Availability> {
  try {
    const failure = await services.faultOf?.(service);
    if (failure) return { status: 'False', ...failure };
  } catch (error) {
    return { status: 'False', reason: 'ServiceAccessError', message: errorMessage(error) };
  }
  const path = `/apis/${group}/${version}`;
  const attempt = async (): Promise<void> => {
    const origin = await services.origin(service);
    await requireResponse(backendAt(origin), path);
  };
  try {
    await Promise.any(Array.from({ length: ATTEMPTS }, attempt));
    return PASSED;
  } catch (error) {
    const last = error instanceof AggregateError ? error.errors.at(-1) : error;
    return { status: 'False', reason: 'FailedDiscoveryCheck', message: errorMessage(last) };
  }
}

async function requireResponse(backend: BackendConnection, path: string): Promise<void> {
  const url = `${backend.origin}${path}`;
  const question = { path, timeoutMilliseconds: TIMEOUT_MILLISECONDS, maximumBytes: MAXIMUM_BYTES };
  try {
    const { status } = await callBackend(backend, question);
    if (status < 200 || status > 299) throw new Error(`bad status from ${url}: ${status}`);
  } catch (error) {
    throw new Error(`failing or missing response from ${url}: ${errorMessage(error)}`, { cause: error });
  }
}
