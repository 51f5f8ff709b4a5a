import type { ServedResource } from '@ashlar/http';
import type { RequestContext } from '@ashlar/registry';
import { ITSELF } from './loopback-identity.ts';
import { serverProgram } from './program-names.ts';

/** Returns the context of a request that the server makes to itself: warnings are dropped and creation is always authorized. */
export function systemContext(
  { vocabulary, version }: Pick<ServedResource, 'vocabulary' | 'version'>,
  namespace: string,
): RequestContext {
  const nothing = (): void => {};
  return {
    user: ITSELF,
    namespace,
    version: version.name,
    dryRun: false,
    fieldManager: serverProgram(vocabulary),
    warn: nothing,
    annotate: nothing,
    authorizeCreate: async () => {},
  };
}
