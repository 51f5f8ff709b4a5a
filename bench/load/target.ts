import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { cpuSeconds, residentMegabytes } from '../server-process.ts';
import type { Call, Workload } from '../workloads.ts';

/** A server that is measured. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly pids: readonly number[];
  readonly agent: Agent;
}

/** What was measured of a workload. */
export interface Figure {
  readonly perCpuSecond: number;
  readonly perSecond: number;
  readonly megabytes: number;
}

/** Reads `NAME=URL,CA_FILE,TOKEN,PID+PID`. @throws Error */
export function targetOf(text: string): Target {
  const [, name, url, ca, token, pids] = /^([^=]+)=([^,]+),([^,]+),([^,]+),([\d+]+)$/.exec(text) ?? [];
  if (!name || !url || !ca || !token || !pids)
    throw new Error(`--target wants NAME=URL,CA_FILE,TOKEN,PID+PID, not ${text}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1024, ca: readFileSync(ca) });
  return { name, url, token, pids: pids.split('+').map(Number), agent };
}

/** Sends a call, and waits for its complete response. @throws Error for a status other than 2xx */
export function sendCall(
  target: Target,
  { method, path, body, contentType = 'application/json', accept = 'application/json' }: Call,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept,
      authorization: `Bearer ${target.token}`,
      ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
    };
    const call = request(target.url + path, { method, headers, agent: target.agent }, (response) => {
      const { statusCode = 500 } = response;
      if (statusCode < 300) response.on('end', resolve).resume();
      else {
        const refused = `${target.name}: ${method} ${path}: ${statusCode}`;
        text(response).then((why) => reject(new Error(`${refused}: ${why}`)), reject);
      }
    });
    call.on('error', reject).end(body);
  });
}

/** Keeps calls in flight for some seconds. */
export async function measure(
  target: Target,
  { parallel, call }: Pick<Workload, 'parallel' | 'call'>,
  seconds: number,
): Promise<Figure> {
  const before = cpuSeconds(target.pids);
  const start = performance.now();
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1000) {
      await sendCall(target, call(next++));
      done++;
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return figure(target, done, before, start);
}

/** @param before processor time at the start */
export function figure(target: Target, done: number, before: number, start: number): Figure {
  const cpu = cpuSeconds(target.pids) - before;
  return {
    perCpuSecond: done / cpu,
    perSecond: done / ((performance.now() - start) / 1000),
    megabytes: residentMegabytes(target.pids),
  };
}
