import { type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type Ambient, type ApiObject, StatusError, sleepInRequest } from '@ashlar/core';
import { DEFAULT_SERVICE_ACCOUNT, type ServiceAccount } from '../core/serviceaccounts.ts';

/** Returns the stored account of a name; with `allowCached` a cached state is sufficient, which may be stale. */
export type FindServiceAccount = (
  namespace: string,
  name: string,
  options: { readonly allowCached: boolean },
) => ApiObject | undefined | Promise<ApiObject | undefined>;

/** How often `default` is looked up: the controller may not have created it in a new namespace yet. */
const ATTEMPTS = 10;
const PAUSE_MILLISECONDS = 100;

/** Finds the service accounts of pods. */
export class ServiceAccountLookUp {
  readonly #find: FindServiceAccount;
  readonly #ambient: Ambient;

  constructor(find: FindServiceAccount, ambient: Ambient) {
    this.#find = find;
    this.#ambient = ambient;
  }

  /** The account of that name in the namespace of the request. @throws StatusError 403 if there is none */
  async require(request: AdmissionRequest, name: string): Promise<ServiceAccount> {
    const { namespace } = request;
    const found =
      (await this.#find(namespace, name, { allowCached: true })) ?? (await this.#newest(namespace, name));
    if (found) return found as ServiceAccount;
    const { message } = StatusError.notFound({ group: '', resource: 'serviceaccount' }, name);
    throw forbiddenByAdmission(request, `error looking up service account ${namespace}/${name}: ${message}`);
  }

  async #newest(namespace: string, name: string): Promise<ApiObject | undefined> {
    const attempts = name === DEFAULT_SERVICE_ACCOUNT ? ATTEMPTS : 1;
    const pause = this.#pause();
    for (let attempt = 1; ; attempt++) {
      const found = await this.#find(namespace, name, { allowCached: false });
      if (found || attempt === attempts) return found;
      await sleepInRequest(this.#ambient.clock, pause);
    }
  }

  /** Milliseconds between attempts: random, so that waiting requests do not retry together. */
  #pause(): number {
    const [byte = 0] = this.#ambient.random.bytes(new Uint8Array(1));
    return PAUSE_MILLISECONDS * (1 + byte / 256);
  }
}
