import { concatenateBytes, groupName, type MaybePromise, type Vocabulary } from '@ashlar/core';
import type { EncodedEvent } from '../events/encoded-event.ts';
import { legacyLine } from '../events/legacy-line.ts';
import type { AuditSink } from './audit-sink.ts';

/** Options of `createAuditLog`. */
export interface AuditLogOptions {
  readonly vocabulary: Vocabulary;
  /** Writes one line, with its end. @throws Error if it cannot be written */
  write(line: Uint8Array): MaybePromise<void>;
  /** Default `json`. */
  readonly format?: 'json' | 'legacy';
}

/**
 * Returns a sink that writes a line for each event (semantics/requests#audit).
 * @example
 * createAuditLog({ vocabulary, write: (line) => void process.stdout.write(line) });
 */
export function createAuditLog({ vocabulary, write, format = 'json' }: AuditLogOptions): AuditSink {
  const encoder = new TextEncoder();
  const head = encoder.encode(`{"kind":"Event","apiVersion":"${groupName(vocabulary, 'audit.')}/v1",`);
  const jsonLine = ({ json: [first = head, ...rest] }: EncodedEvent): Uint8Array =>
    concatenateBytes([head, first.subarray(1), ...rest, NEWLINE]);
  const lineOf =
    format === 'json' ? jsonLine : ({ event }: EncodedEvent) => encoder.encode(`${legacyLine(event)}\n`);
  return { name: 'log', send: (events) => writeLines(events, 0) };

  function writeLines(events: readonly EncodedEvent[], from: number): MaybePromise<void> {
    for (let index = from; index < events.length; index++) {
      const written = write(lineOf(events[index] as EncodedEvent));
      if (written instanceof Promise) return written.then(() => writeLines(events, index + 1));
    }
  }
}

const NEWLINE: Uint8Array = new Uint8Array([10]);
