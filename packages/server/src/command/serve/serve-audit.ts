import {
  type AuditBackendOptions,
  type AuditOptions,
  AuditPolicyError,
  type BatchOptions,
  createAuditLog,
  createAuditWebhook,
  type TruncateOptions,
} from '@ashlar/audit';
import { type Ambient, errorMessage, groupName, runInSlices } from '@ashlar/core';
import { printSteps } from '../../audit/long-line.ts';
import { RotatingFile } from '../../audit/rotating-file.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import type { WebhookConnections } from '../webhook-connections.ts';
import { readPolicyFile } from './audit-policy-file.ts';

/** Dependencies of auditing. */
export interface ServeAuditOptions {
  readonly ambient: Ambient;
  readonly connections: WebhookConnections;
  readonly stdout: (text: string) => void;
  readonly report: (text: string) => void;
}

/** The auditing that flags configure; disposed after the server is closed. */
export interface ServeAudit extends Disposable {
  /** Undefined if nothing is recorded. */
  readonly audit: AuditOptions | undefined;
}

/** @throws UsageError if a file cannot be read, used or written */
export function createServeAudit(flags: ServeFlags, options: ServeAuditOptions): ServeAudit {
  requireVersions(flags, options.ambient);
  const { ambient, report } = options;
  const file = flags['audit-policy-file'];
  const policy =
    file === undefined ? undefined : usable(() => readPolicyFile(file, ambient.vocabulary, report));
  const log = openLog(flags, options);
  const webhook = webhookOf(flags, options);
  const backends = [...(log ? [log.backend] : []), ...(webhook ? [webhook] : [])];
  if (!policy && backends.length > 0) report('ashlar: without --audit-policy-file no events are recorded\n');
  if (policy && backends.length === 0)
    report('ashlar: without --audit-log-path and --audit-webhook-config-file no events are recorded\n');
  return {
    audit: policy && backends.length > 0 ? { policy, backends } : undefined,
    [Symbol.dispose]: () => log?.file?.[Symbol.dispose](),
  };
}

/** @throws UsageError */
function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!AuditPolicyError.is(error)) throw error;
    throw new UsageError(`flag --audit-policy-file: ${error.message}`);
  }
}

function requireVersions(flags: ServeFlags, { vocabulary }: Ambient): void {
  const version = `${groupName(vocabulary, 'audit.')}/v1`;
  for (const name of ['audit-log-version', 'audit-webhook-version'] as const)
    if (flags[name] !== undefined && flags[name] !== version)
      throw new UsageError(`flag --${name}: ${flags[name]} is not ${version}`);
}

interface OpenedLog {
  readonly backend: AuditBackendOptions;
  /** Undefined if events are written to standard output. */
  readonly file: RotatingFile | undefined;
}

function openLog(flags: ServeFlags, { ambient, stdout, report }: ServeAuditOptions): OpenedLog | undefined {
  const path = flags['audit-log-path'];
  if (path === undefined) return undefined;
  const file = path === '-' ? undefined : openFile(path, flags, ambient, report);
  const decoder = new TextDecoder();
  const sink = createAuditLog({
    vocabulary: ambient.vocabulary,
    format: flags['audit-log-format'] ?? 'json',
    write: (line) => (file ? file.write(line) : stdout(decoder.decode(line))),
    writeLong: (pieces) => runInSlices(file ? file.writeSteps(pieces) : printSteps(pieces, stdout), ambient),
  });
  const batch = batchOf(flags, 'log', { maximumSize: 1, isThrottled: false });
  return {
    backend: { sink, mode: flags['audit-log-mode'] ?? 'blocking', batch, ...truncateOf(flags, 'log') },
    file,
  };
}

const MEGABYTE = 1024 * 1024;

/** @throws UsageError */
function openFile(
  path: string,
  flags: ServeFlags,
  { clock }: Ambient,
  report: (text: string) => void,
): RotatingFile {
  const size = flags['audit-log-maxsize'] ?? 0;
  try {
    return new RotatingFile(path, {
      ...(size > 0 && { maximumBytes: size * MEGABYTE }),
      maximumBackups: flags['audit-log-maxbackup'] ?? 0,
      maximumDays: flags['audit-log-maxage'] ?? 0,
      now: () => clock.now(),
      onError: (error) => report(`ashlar: ${path}: ${errorMessage(error)}\n`),
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`flag --audit-log-path: ${path} cannot be written (${code ?? error})`);
  }
}

function webhookOf(
  flags: ServeFlags,
  { ambient, connections }: ServeAuditOptions,
): AuditBackendOptions | undefined {
  const file = flags['audit-webhook-config-file'];
  if (file === undefined) return undefined;
  const pause = flags['audit-webhook-initial-backoff'];
  const sink = createAuditWebhook({
    ...{ ambient, ...connections.open('audit-webhook-config-file', file) },
    ...(pause !== undefined && { initialBackoffMilliseconds: pause }),
  });
  const batch = batchOf(flags, 'webhook', { maximumSize: 400, isThrottled: true });
  return { sink, mode: flags['audit-webhook-mode'] ?? 'batch', batch, ...truncateOf(flags, 'webhook') };
}

function batchOf(
  flags: ServeFlags,
  sink: 'log' | 'webhook',
  defaults: { readonly maximumSize: number; readonly isThrottled: boolean },
): BatchOptions {
  const bufferSize = flags[`audit-${sink}-batch-buffer-size`];
  const wait = flags[`audit-${sink}-batch-max-wait`];
  const isThrottled = flags[`audit-${sink}-batch-throttle-enable`] ?? defaults.isThrottled;
  const perSecond = flags[`audit-${sink}-batch-throttle-qps`] ?? 10;
  const burst = flags[`audit-${sink}-batch-throttle-burst`] ?? 15;
  return {
    ...(bufferSize !== undefined && { bufferSize }),
    ...(wait !== undefined && { maximumWaitMilliseconds: wait }),
    maximumSize: flags[`audit-${sink}-batch-max-size`] ?? defaults.maximumSize,
    throttle: isThrottled ? { perSecond, burst } : 'none',
  };
}

function truncateOf(flags: ServeFlags, sink: 'log' | 'webhook'): { readonly truncate?: TruncateOptions } {
  if (!flags[`audit-${sink}-truncate-enabled`]) return {};
  const event = flags[`audit-${sink}-truncate-max-event-size`];
  const batch = flags[`audit-${sink}-truncate-max-batch-size`];
  return {
    truncate: {
      ...(event !== undefined && { maximumEventBytes: event }),
      ...(batch !== undefined && { maximumBatchBytes: batch }),
    },
  };
}
