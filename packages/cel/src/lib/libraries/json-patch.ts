import { readsFirst } from '../cost-model.ts';
import { type Library, overload } from '../declarations.ts';
import { estimateReading } from '../estimate-model.ts';
import { types } from '../types.ts';
import { work } from '../work.ts';

function escapeKey(key: string): string {
  work(key.length * 10);
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** `jsonpatch.escapeKey`: a key as a step of a JSON pointer (RFC 6901), for expressions that make patches. */
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
