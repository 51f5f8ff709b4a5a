// Encryption at rest: configurations, values, key services (oracles/encryption*.jsonl).
import type { Suite } from '../suite.ts';
import { readOracle } from './codec/oracle.ts';
import { runConfigCase } from './encryption/config-cases.ts';
import { runKmsCase } from './encryption/kms-cases.ts';
import { runValuesCase } from './encryption/values-cases.ts';

export const suite: Suite = {
  name: 'oracles/encryption',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'encryption')) {
      const result = runConfigCase(entry) ?? runValuesCase(entry) ?? (await runKmsCase(entry));
      if (result) yield result;
    }
  },
};
