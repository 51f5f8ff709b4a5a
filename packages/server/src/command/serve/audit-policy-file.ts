import { type AuditPolicy, AuditPolicyError, readAuditPolicy } from '@ashlar/audit';
import { DecodeError, yamlSerializer } from '@ashlar/codec';
import type { JsonValue, Vocabulary } from '@ashlar/core';
import { readTextFile } from '../read-text-file.ts';

/**
 * Reads an audit policy in YAML or JSON. Unknown and doubled fields are reported and ignored (semantics/requests#audit).
 * @throws UsageError if the file cannot be read; AuditPolicyError if it is no policy
 */
export function readPolicyFile(
  file: string,
  vocabulary: Vocabulary,
  report: (text: string) => void,
): AuditPolicy {
  const { value, strictWarnings } = decoded(file, readTextFile('audit-policy-file', file));
  try {
    const { policy, warnings } = readAuditPolicy(value, vocabulary);
    for (const text of [...strictWarnings, ...warnings]) report(`ashlar: ${file}: ${text}\n`);
    return policy;
  } catch (error) {
    throw AuditPolicyError.is(error)
      ? new AuditPolicyError(`${file}: ${error.message}`, error.errors)
      : error;
  }
}

interface DecodedFile {
  readonly value: JsonValue;
  readonly strictWarnings: readonly string[];
}

/** @throws AuditPolicyError */
function decoded(file: string, text: string): DecodedFile {
  try {
    return yamlSerializer.decode(new TextEncoder().encode(text), { strict: true });
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    throw new AuditPolicyError(`${file}: ${error.message}`);
  }
}
