import {
  type ApiObject,
  andThen,
  type Clock,
  type MaybePromise,
  StatusError,
  systemNamespace,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
import { forbiddenByAdmission } from './forbidden-by-admission.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };

export interface NamespaceLifecycleOptions {
  readonly vocabulary: Vocabulary;
  readonly clock: Clock;
  /**
   * Returns the stored namespace of that name; with `allowCached` a cached state is sufficient, which may be
   * stale.
   */
  namespace(name: string, options: { readonly allowCached: boolean }): MaybePromise<ApiObject | undefined>;
}

/** How long the current state is required after a deletion. */
const LIVE_MILLISECONDS = 30_000;

/**
 * Rejects new objects in namespaces that do not exist or are being deleted, and the deletion of protected
 * namespaces (semantics/lifecycle#namespaces).
 */
export function createNamespaceLifecycle({
  vocabulary,
  clock,
  namespace,
}: NamespaceLifecycleOptions): AdmissionPlugin {
  const lookUp = new NamespaceLookUp(namespace, clock);
  const immortal = new Set([
    'default',
    systemNamespace(vocabulary, 'system'),
    systemNamespace(vocabulary, 'public'),
  ]);
  return {
    name: 'NamespaceLifecycle',
    handles: ({ namespace: name, resource, operation }) =>
      name !== '' && operation !== 'CONNECT' && resource.resource !== 'localsubjectaccessreviews',
    admit(request) {
      if (!isNamespace(request))
        return request.operation === 'DELETE' ? undefined : requireNamespace(request, lookUp);
      if (request.operation === 'DELETE') {
        refuseImmortal(request, immortal);
        lookUp.deleted(request.name);
      }
      return undefined;
    },
  };
}

const isNamespace = ({ resource }: AdmissionRequest): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

function refuseImmortal({ name }: AdmissionRequest, immortal: ReadonlySet<string>): void {
  if (immortal.has(name)) throw StatusError.forbidden(NAMESPACES, name, 'this namespace may not be deleted');
}

/** Trusts a cached active namespace, unless it has been deleted here recently. */
class NamespaceLookUp {
  readonly #namespace: NamespaceLifecycleOptions['namespace'];
  readonly #clock: Clock;
  /** Until when the current state is required, oldest deletion first. */
  readonly #live: Map<string, number> = new Map();

  constructor(namespace: NamespaceLifecycleOptions['namespace'], clock: Clock) {
    this.#namespace = namespace;
    this.#clock = clock;
  }

  deleted(name: string): void {
    this.#live.delete(name);
    this.#live.set(name, this.#clock.monotonic() + LIVE_MILLISECONDS);
  }

  find(name: string): MaybePromise<ApiObject | undefined> {
    const cached = this.#isLive(name) ? undefined : this.#namespace(name, { allowCached: true });
    return andThen(cached, (found) => {
      const isAlive = found && found.metadata.deletionTimestamp === undefined;
      return isAlive ? found : this.#namespace(name, { allowCached: false });
    });
  }

  #isLive(name: string): boolean {
    if (this.#live.size === 0) return false;
    const now = this.#clock.monotonic();
    for (const [other, until] of this.#live) {
      if (until > now) break;
      this.#live.delete(other);
    }
    return this.#live.has(name);
  }
}

function requireNamespace(request: AdmissionRequest, lookUp: NamespaceLookUp): MaybePromise<undefined> {
  return andThen(lookUp.find(request.namespace), (found) => {
    if (!found) throw StatusError.notFound(NAMESPACES, request.namespace);
    if (request.operation === 'CREATE' && found.metadata.deletionTimestamp !== undefined)
      throw terminating(request);
    return undefined;
  });
}

function terminating(request: AdmissionRequest): StatusError {
  const { namespace } = request;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { code, reason, message, details } = forbiddenByAdmission(request, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ code, reason, message, details: { ...details, causes: [cause] } });
}
