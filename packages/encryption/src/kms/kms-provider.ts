import { type Ambient, joinedMessages, randomUuid, timestampText } from '@ashlar/core';
import type { AesGcmSources } from '../values/aes-gcm-cipher.ts';
import { DecryptionError } from '../values/decryption-error.ts';
import { type DataKey, generateDataKey } from './data-key.ts';
import { keyHash } from './key-hash.ts';
import type { KeyService, KeyServiceStatus } from './key-service.ts';
import type { KmsMetrics } from './kms-metrics.ts';
import { keyIdError } from './validate-encrypted-object.ts';

/** How long a response of the service counts as its health, in milliseconds. */
const HEALTHY_MILLISECONDS = 20_000;
const UNHEALTHY_MILLISECONDS = 3000;
/** Time for which a data key may encrypt after the service last reported its key as current. */
const WRITE_MILLISECONDS = 180_000;
/** Intervals of the background calls of the service's status. */
const INTERVAL_MILLISECONDS = 60_000;
const RETRY_MILLISECONDS = 10_000;

/** Dependencies of a provider. */
export interface KmsProviderOptions {
  readonly name: string;
  readonly service: KeyService;
  readonly ambient: Ambient;
  readonly metrics: KmsMetrics;
  readonly sources: AesGcmSources;
}

/** What writes now. */
interface WritingKey extends DataKey {
  /** Until when it may write, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * One key service: follows which key it has, and has a new data key encrypted when that changes. Reads are possible as long as the service
 * answers them; writes for three more minutes after it was last healthy.
 */
export class KmsProviderState {
  readonly #options: KmsProviderOptions;
  #key: WritingKey | undefined;
  #last: { readonly until: number; readonly error: Error | undefined } | undefined;
  #statusCall: Promise<void> | undefined;

  constructor(options: KmsProviderOptions) {
    this.#options = options;
  }

  /** The current data key, also an expired one. @throws DecryptionError if there never was one */
  get key(): DataKey {
    if (!this.#key) throw new DecryptionError('got unexpected nil transformer');
    return this.#key;
  }

  /** The current data key. @throws DecryptionError if it may no longer write */
  get writingKey(): DataKey {
    const { key } = this;
    const now = this.#options.ambient.clock.now();
    const { until } = this.#key as WritingKey;
    if (now <= until) return key;
    const hash = keyHash(key.object.keyId);
    throw new DecryptionError(
      `encryptedDEKSource with keyID hash "${hash}" expired at ${timestampText(until)} (current time is ${timestampText(now)})`,
    );
  }

  /**
   * Calls the status of the service, unless a call has just been made.
   * @throws Error that says why the provider is not healthy
   */
  async check(): Promise<void> {
    const { clock } = this.#options.ambient;
    if (this.#last && clock.monotonic() < this.#last.until) {
      if (this.#last.error) throw this.#last.error;
      return;
    }
    this.#statusCall ??= this.#callStatus().finally(() => {
      this.#statusCall = undefined;
    });
    await this.#statusCall;
  }

  /** Checks in the background, so that keys are exchanged without a health check. */
  follow(report: (error: Error) => void): Disposable {
    const { clock } = this.#options.ambient;
    let timer: Disposable | undefined;
    let isStopped = false;
    const again = (milliseconds: number): void => {
      if (isStopped) return;
      const pending = clock.setTimer(milliseconds, run);
      timer = { [Symbol.dispose]: () => pending.clear() };
    };
    const run = (): void => {
      this.check().then(
        () => again(INTERVAL_MILLISECONDS),
        (error) => {
          report(error as Error);
          again(RETRY_MILLISECONDS);
        },
      );
    };
    again(INTERVAL_MILLISECONDS);
    return {
      [Symbol.dispose]() {
        isStopped = true;
        timer?.[Symbol.dispose]();
      },
    };
  }

  /** Ends the service; nothing is encrypted or decrypted after that. */
  [Symbol.dispose](): void {
    this.#options.service[Symbol.dispose]?.();
  }

  async #callStatus(): Promise<void> {
    const { clock } = this.#options.ambient;
    let failure: Error | undefined;
    try {
      await this.#checkNow();
    } catch (error) {
      failure = error as Error;
    }
    const validity = failure ? UNHEALTHY_MILLISECONDS : HEALTHY_MILLISECONDS;
    this.#last = { until: clock.monotonic() + validity, error: failure };
    if (failure) throw failure;
  }

  async #checkNow(): Promise<void> {
    const { name, service } = this.#options;
    const status = await service.status().catch((error) => {
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${(error as Error).message}`,
      );
    });
    const errors = [...statusErrors(status), ...(await this.#adopt(status))];
    if (errors.length > 0)
      throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${joinedMessages(errors)}`);
  }

  /** Exchanges the data key if the service has another key. Returns errors. */
  async #adopt({ keyId }: KeyServiceStatus): Promise<readonly Error[]> {
    const { name, metrics } = this.#options;
    const invalid = keyIdError(keyId);
    if (invalid !== undefined) {
      metrics.reportedInvalidKey(name, keyId === '' ? 'empty' : 'too_long');
      return [new Error(`got invalid KMSv2 KeyID hash "${keyHash(keyId)}": ${invalid}`)];
    }
    metrics.reportedKey(name, keyId);
    const failure = await this.#rotate(keyId);
    return failure ? [failure] : [];
  }

  async #rotate(keyId: string): Promise<Error | undefined> {
    const { service, ambient, sources } = this.#options;
    const until = ambient.clock.now() + WRITE_MILLISECONDS;
    const before = this.#key;
    if (before?.object.keyId === keyId) {
      this.#key = { ...before, until };
      return undefined;
    }
    const uid = randomUuid(ambient.transientRandom ?? ambient.random);
    const generated = await generateDataKey(service, sources, uid).catch((error: unknown) => error as Error);
    if (!(generated instanceof Error) && generated.object.keyId === keyId) {
      this.#key = { ...generated, until };
      return undefined;
    }
    return rotationError(uid, keyId, generated, before);
  }
}

/** Returns what is wrong with the state of a service, apart from its key. */
function statusErrors({ healthz, version }: KeyServiceStatus): readonly Error[] {
  return [
    ...(healthz === 'ok' ? [] : [new Error(`got unexpected healthz status: ${healthz}`)]),
    ...(version === 'v2' || version === 'v2beta1'
      ? []
      : [new Error(`expected KMSv2 API version v2, got ${version}`)]),
  ];
}

function rotationError(
  uid: string,
  keyId: string,
  generated: DataKey | Error,
  before: WritingKey | undefined,
): Error {
  const failed = generated instanceof Error;
  const parts = [
    `uid="${uid}"`,
    'useSeed=true',
    `errState=${before ? '<nil>' : 'got unexpected nil transformer'}`,
    `errGen=${failed ? generated.message : '<nil>'}`,
    `statusKeyIDHash="${keyHash(keyId)}"`,
    `encryptKeyIDHash="${failed ? '' : keyHash(generated.object.keyId)}"`,
    `stateKeyIDHash="${keyHash(before?.object.keyId ?? '')}"`,
    `expirationTimestamp=${before ? timestampText(before.until) : '0001-01-01T00:00:00Z'}`,
  ];
  return new Error(`failed to rotate DEK ${parts.join(', ')}`);
}
