import { type ApiObject, StatusError } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
import { forbiddenByAdmission } from './forbidden-by-admission.ts';

/** Returns the stored namespace of that name; with `allowCached` a cached state is sufficient, which may be stale. */
type FindNamespace = (
  name: string,
  options: { readonly allowCached: boolean },
) => ApiObject | undefined | Promise<ApiObject | undefined>;

const isInNamespace = ({ namespace, resource }: AdmissionRequest): boolean =>
  namespace !== '' && (resource.group !== '' || resource.resource !== 'namespaces');

/** Creates the namespaces of new objects that do not exist. */
export function createNamespaceProvision(options: {
  readonly namespace: FindNamespace;
  /** Creates a namespace; one that exists meanwhile is no error. */
  readonly create: (name: string) => Promise<void>;
}): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: (request) => request.operation === 'CREATE' && !request.dryRun && isInNamespace(request),
    async admit(request) {
      const { namespace: name } = request;
      if (await options.namespace(name, { allowCached: true })) return undefined;
      try {
        await options.create(name);
      } catch (error) {
        if (!StatusError.is(error, 'AlreadyExists'))
          throw forbiddenByAdmission(request, (error as Error).message);
      }
      return undefined;
    },
  };
}

/** Refuses every write in a namespace that does not exist. */
export function createNamespaceRequirement(namespace: FindNamespace): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: (request) => request.operation !== 'CONNECT' && isInNamespace(request),
    async validate({ namespace: name }) {
      const found =
        (await namespace(name, { allowCached: true })) ?? (await namespace(name, { allowCached: false }));
      if (!found) throw StatusError.notFound({ group: '', resource: 'namespaces' }, name);
    },
  };
}
