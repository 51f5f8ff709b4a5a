import type { Suite } from '../suite.ts';
import { nameChecks } from '../text-core/names.ts';
import { requestChecks } from '../text-core/requests.ts';
import { runOracles } from '../text-core/run-oracles.ts';
import { selectorChecks } from '../text-core/selectors.ts';
import { valueChecks } from '../text-core/values.ts';

/** Selectors, names, metadata, quantities, times, tokens and options. */
export const suite: Suite = {
  name: 'oracles/text',
  run: (dataDirectory) =>
    runOracles(dataDirectory, 'text', {
      ...selectorChecks,
      ...nameChecks,
      ...valueChecks,
      ...requestChecks,
    }),
};
