import { readRuntimeConfig } from '@ashlar/lifecycle';
import type { RuntimeConfig } from '../../assembly/runtime-config.ts';

/** Other keys of the only version of the core group. Their resources are not told apart: they stand for the whole version. */
const CORE_VERSION = /^(?:api\/)?v1(?:\/|$)/;
/** A key of the past, which has no effect. */
const LEGACY = 'api/legacy';

/** Parses the flag `--runtime-config`, which has other names of the core version (semantics/lifecycle#runtime-configuration-and-gates). */
export function readRuntimeConfigFlag(text: string): RuntimeConfig {
  const named = new Map<string, string | boolean>();
  for (const [key, value] of readRuntimeConfig(text))
    if (key !== LEGACY) named.set(CORE_VERSION.test(key) ? '/v1' : key, value);
  return named;
}
