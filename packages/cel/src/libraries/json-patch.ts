import { type Library, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { readsFirst } from '../cost/cost-model.ts';
import { estimateReading } from '../cost/estimate-model.ts';
import { work } from '../cost/work.ts';

function escapeKey(key: string): string {
  work(key.length * 10);
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** `jsonpatch.escapeKey`: escapes a key for a JSON pointer (RFC 6901), for expressions that create patches. */
export const jsonPatchLibrary: Library = {
  name: 'json-patch',
  functions: [
    {
      name: 'jsonpatch.escapeKey',
      overloads: [
        overload('string_jsonpatch_escapeKey_string', [types.string], types.string, escapeKey, {
          cost: readsFirst(),
          estimate: estimateReading(1, true),
        }),
      ],
    },
  ],
};
