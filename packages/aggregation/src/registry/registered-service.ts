import { readCertificates } from '@ashlar/admission';
import type { TransportTls } from '@ashlar/core';
import type { RegisteredVersion } from '@ashlar/http';
import type { ApiService } from '../api-services/api-service.ts';
import { type Availability, isAvailable, withAvailability } from '../availability/available-condition.ts';
import {
  backendTls,
  type ClientCertificate,
  groupVersionOf,
  type ServicePort,
  servicePortOf,
} from '../backends/backend.ts';
import type { BackendDescription } from '../descriptions/backend-description.ts';
import { BackendLimiter } from '../proxy/backend-limiter.ts';

/** An API service of another server, as it is stored now. */
export class RegisteredService implements RegisteredVersion {
  readonly limiter: BackendLimiter = new BackendLimiter();
  readonly description: BackendDescription;
  /** What the last check has found; undefined before the first. */
  found: Availability | undefined;
  /** When its description was requested, on the monotonic clock; undefined if it is to be requested again. */
  describedAt: number | undefined;
  #object: ApiService;
  #certificateAuthorities: string | undefined;

  constructor(object: ApiService, description: BackendDescription) {
    this.description = description;
    this.#object = object;
    this.#readCertificates();
  }

  get object(): ApiService {
    return this.#object;
  }

  set object(object: ApiService) {
    const isSame = object.spec.caBundle === this.#object.spec.caBundle;
    this.#object = object;
    if (!isSame) this.#readCertificates();
  }

  get group(): string {
    return groupVersionOf(this.#object).group;
  }

  get version(): string {
    return groupVersionOf(this.#object).version;
  }

  get versionPriority(): number {
    return this.#object.spec.versionPriority;
  }

  get groupPriority(): number {
    return this.#object.spec.groupPriorityMinimum;
  }

  get resources(): RegisteredVersion['resources'] {
    return this.description.resources;
  }

  get isCurrent(): boolean {
    return this.description.isCurrent;
  }

  get isAvailable(): boolean {
    return isAvailable(this.#object);
  }

  /** Whether the stored condition is another one than the last check has found: somebody else has written it. */
  get isContradicted(): boolean {
    return this.found !== undefined && withAvailability(this.#object, this.found, 0) !== undefined;
  }

  get service(): ServicePort {
    return servicePortOf(this.#object);
  }

  /** @throws Error for a bundle without certificates: it trusts no server, and not those that this machine trusts */
  tls(proxyClient: ClientCertificate | undefined): TransportTls {
    if (this.#hasBrokenBundle)
      throw new Error('unable to load root certificates: unable to parse bytes as PEM block');
    return backendTls(this.#object, this.#certificateAuthorities, proxyClient);
  }

  /** For checks of availability, which do not verify the certificate. */
  unverifiedTls(proxyClient: ClientCertificate | undefined): TransportTls {
    return { ...backendTls(this.#object, undefined, proxyClient), insecure: true };
  }

  get #hasBrokenBundle(): boolean {
    return (this.#object.spec.caBundle ?? '') !== '' && this.#certificateAuthorities === undefined;
  }

  #readCertificates(): void {
    const { caBundle = '' } = this.#object.spec;
    this.#certificateAuthorities = caBundle === '' ? undefined : readCertificates(caBundle);
  }
}
