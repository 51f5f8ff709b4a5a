import { durationText, groupName, type Vocabulary, type WaitReason } from '@ashlar/core';
import type { AuditedRequest } from './audited-request.ts';

/** Requests that take longer are explained. */
const SLOW_MILLISECONDS = 500;

const NAMES: Readonly<Record<WaitReason, string>> = {
  queue: 'apf-queue-wait',
  'mutating-webhook': 'mutating-webhook',
  'validating-webhook': 'validating-webhook',
};

/** Annotates a slow request with how long it took, and how long of that it waited for whom. Watches are as long as their callers like. */
export function annotateLatency(of: AuditedRequest, milliseconds: number, vocabulary: Vocabulary): void {
  if (milliseconds <= SLOW_MILLISECONDS || of.info.verb === 'watch') return;
  const prefix = groupName(vocabulary, 'apiserver.latency.');
  for (const [reason, waited] of of.waits) of.annotate(`${prefix}/${NAMES[reason]}`, latencyText(waited));
  of.annotate(`${prefix}/total`, latencyText(milliseconds));
}

const latencyText = (milliseconds: number): string =>
  durationText(BigInt(Math.round(milliseconds * 1_000_000)));
