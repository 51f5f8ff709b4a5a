import type { Vocabulary } from '@ashlar/core';
import { type AbacPolicy, decodeAbacPolicy } from './abac-policy.ts';

/** A parsed policy file. */
export interface AbacPolicyFile {
  readonly policies: readonly AbacPolicy[];
  /** Warnings about lines in the older form, without a version. */
  readonly warnings: readonly string[];
}

/**
 * Parses a policy file: one policy per line, in JSON; blank lines and lines that start with `#` are skipped (semantics/access#abac).
 * @param path for the errors
 * @throws Error `error reading policy file <path>, line <n>: <data>: <why>`
 */
export function parseAbacPolicyFile(text: string, path: string, vocabulary: Vocabulary): AbacPolicyFile {
  const policies: AbacPolicy[] = [];
  const warnings: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const start = line.trim();
    if (start === '' || start.startsWith('#')) continue;
    const at = `${path}, line ${index + 1}`;
    try {
      const { policy, isVersionless } = decodeAbacPolicy(line, vocabulary);
      policies.push(policy);
      if (isVersionless) warnings.push(`${at}: the form without a version is deprecated`);
    } catch (error) {
      throw new Error(`error reading policy file ${at}: ${line}: ${(error as Error).message}`);
    }
  }
  return { policies, warnings };
}
