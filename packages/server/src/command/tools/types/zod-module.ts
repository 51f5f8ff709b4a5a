import { toZodSource } from '@ashlar/schema';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import { capital, type NamedVersion, written } from './named-versions.ts';

/** Prints one constant for each top-level field of a kind, such as spec and status. */
export function zodModule(versions: readonly NamedVersion[], { stderr }: CommandSurroundings): string {
  const constants = versions.flatMap((each) =>
    Object.entries(each.version.schema.properties ?? {})
      .filter(([part]) => !['apiVersion', 'kind', 'metadata'].includes(part))
      .map(([part, schema]) =>
        written(each, () =>
          toZodSource(schema, {
            name: each.name.charAt(0).toLowerCase() + each.name.slice(1) + capital(part),
            report: (path, keyword) =>
              stderr(
                `${each.name} ${[part, path].filter((step) => step !== '').join('.')}: ${keyword} is omitted\n`,
              ),
          }),
        ),
      ),
  );
  return ["import { z } from 'zod';\n", ...constants].join('\n');
}
