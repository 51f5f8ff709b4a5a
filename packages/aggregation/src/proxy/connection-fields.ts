import type { HeaderLine } from '@ashlar/core';

/** Fields that are about one connection (RFC 9110 section 7.6.1). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Header lines without those that are about one connection, or that its `Connection` field names. */
export function withoutConnectionFields(lines: readonly HeaderLine[]): readonly HeaderLine[] {
  const named = new Set(
    lines.flatMap(([name, value]) =>
      name === 'connection' ? value.split(',').map((option) => option.trim().toLowerCase()) : [],
    ),
  );
  return lines.filter(([name]) => !CONNECTION_FIELDS.has(name) && !named.has(name));
}
