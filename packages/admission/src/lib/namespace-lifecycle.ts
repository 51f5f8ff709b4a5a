import { type ApiObject, StatusError, systemNamespace, type Vocabulary } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };

export interface NamespaceLifecycleOptions {
  readonly vocabulary: Vocabulary;
  /** The stored namespace of that name, as new as the store can tell. */
  namespace(name: string): ApiObject | undefined | Promise<ApiObject | undefined>;
}

/**
 * Objects are made only in namespaces that exist and are not being deleted, and some namespaces are never deleted
 * (semantics M1).
 */
export function createNamespaceLifecycle({
  vocabulary,
  namespace,
}: NamespaceLifecycleOptions): AdmissionPlugin {
  const immortal = new Set([
    'default',
    systemNamespace(vocabulary, 'system'),
    systemNamespace(vocabulary, 'public'),
  ]);
  return {
    name: 'NamespaceLifecycle',
    handles: ({ namespace: name, resource }) =>
      name !== '' && resource.resource !== 'localsubjectaccessreviews',
    async mutate(request) {
      if (isNamespace(request)) refuseImmortal(request, immortal);
      else if (request.operation !== 'DELETE') await requireNamespace(request, namespace);
      return undefined;
    },
  };
}

const isNamespace = ({ resource }: AdmissionRequest): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

function refuseImmortal({ operation, name }: AdmissionRequest, immortal: ReadonlySet<string>): void {
  if (operation === 'DELETE' && immortal.has(name)) {
    throw StatusError.forbidden(NAMESPACES, name, 'this namespace may not be deleted');
  }
}

async function requireNamespace(
  request: AdmissionRequest,
  namespace: NamespaceLifecycleOptions['namespace'],
): Promise<void> {
  const found = await namespace(request.namespace);
  if (!found) throw StatusError.notFound(NAMESPACES, request.namespace);
  if (request.operation === 'CREATE' && found.metadata.deletionTimestamp !== undefined)
    throw terminating(request);
}

function terminating({ resource, name, namespace, object }: AdmissionRequest): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { code, reason, message, details } = StatusError.forbidden(
    resource,
    name || (object?.metadata.generateName ?? ''),
    why,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ code, reason, message, details: { ...details, causes: [cause] } });
}
