import type { Suite } from '../suite.ts';
import { judgeOracles } from '../text-core/judge.ts';
import { nameJudges } from '../text-core/names.ts';
import { requestJudges } from '../text-core/requests.ts';
import { selectorJudges } from '../text-core/selectors.ts';
import { valueJudges } from '../text-core/values.ts';

/** Selectors, names, metadata, quantities, times, tokens and options. */
export const suite: Suite = {
  name: 'oracles/text',
  run: (dataDirectory) =>
    judgeOracles(dataDirectory, 'text', {
      ...selectorJudges,
      ...nameJudges,
      ...valueJudges,
      ...requestJudges,
    }),
};
