import { groupName, type MaybePromise, type Vocabulary } from '@ashlar/core';
import type { EncodedEvent } from '../events/encoded-event.ts';
import { legacyLine } from '../events/legacy-line.ts';
import type { JsonPieces } from '../events/logged-event.ts';
import type { AuditSink } from './audit-sink.ts';
import { LineWriter } from './line-writer.ts';

/** Options of `createAuditLog`. */
export interface AuditLogOptions {
  readonly vocabulary: Vocabulary;
  /** Writes one line, with its end. @throws Error if it cannot be written */
  write(line: Uint8Array): MaybePromise<void>;
  /**
   * Writes a line of 256 KiB or more, of these pieces, with pauses: nothing else is written meanwhile. By default such a line is put
   * together for `write`.
   * @throws Error if it cannot be written
   */
  writeLong?(pieces: JsonPieces): MaybePromise<void>;
  /** Default `json`. */
  readonly format?: 'json' | 'legacy';
}

/**
 * Returns a sink that writes a line for each event (semantics/requests#audit).
 * @example
 * createAuditLog({ vocabulary, write: (line) => void process.stdout.write(line) });
 */
export function createAuditLog(options: AuditLogOptions): AuditSink {
  const { vocabulary, format = 'json' } = options;
  const encoder = new TextEncoder();
  const head = encoder.encode(`{"kind":"Event","apiVersion":"${groupName(vocabulary, 'audit.')}/v1",`);
  const jsonLine = ({ json: [first = head, ...rest] }: EncodedEvent): JsonPieces => [
    head,
    first.subarray(1),
    ...rest,
    NEWLINE,
  ];
  const legacy = ({ event }: EncodedEvent): JsonPieces => [encoder.encode(`${legacyLine(event)}\n`)];
  const linesOf = format === 'json' ? jsonLine : legacy;
  const writer = new LineWriter(options);
  return { name: 'log', send: (events) => writer.write(events.map(linesOf)) };
}

const NEWLINE: Uint8Array = new Uint8Array([10]);
