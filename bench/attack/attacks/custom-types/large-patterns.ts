import type { Attack, Target } from '../../attack.ts';
import { faultsBeside } from '../../beside.ts';
import { bodyRequest, DEFINITIONS, definitionOf } from '../../bodies.ts';

/** No two are the same, since a compiled pattern is kept. */
const PATTERNS = 10;
/** What compiled patterns that are kept take, a kilobyte for each of 100,000 units, and what a heap grows by before it is collected. */
const GROWN_MEGABYTES = 164;

/** Patterns as large as one may be, by what they consist of. */
const LARGEST: Readonly<Record<string, string>> = {
  'counts of anything': '.{0,830}'.repeat(3),
  'optional characters': 'a?'.repeat(2_400),
  groups: '(a)'.repeat(1_200),
  letters: 'ab'.repeat(2_400),
};

async function definePatterns(target: Target, pattern: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let i = 0; i < PATTERNS; i++) {
    const definition = definitionOf('largepatterns', { type: 'string', pattern: `${pattern}${i}` });
    const path = `${DEFINITIONS}?dryRun=All`;
    const request = bodyRequest('POST', path, 'application/json', JSON.stringify(definition));
    const headers = [target.credentials('operator'), ...(request.headers ?? [])];
    const { status, body } = await target.send({ ...request, headers });
    if (status !== 201) faults.push(`answered ${status}: ${body.slice(0, 300)}`);
  }
  return faults;
}

export const attacks: readonly Attack[] = [
  {
    name: 'patterns as large as one may be',
    sends: 'one definition after the other, each with a pattern that is compiled in one piece',
    run: (target) =>
      faultsBeside(
        target,
        Object.entries(LARGEST).map(([name, pattern]) => ({
          name,
          grownMegabytes: GROWN_MEGABYTES,
          run: () => definePatterns(target, pattern),
        })),
      ),
  },
];
