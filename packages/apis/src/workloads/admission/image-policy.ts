import {
  type AdmissionPlugin,
  type AdmissionRequest,
  callWebhook,
  forbiddenByAdmission,
} from '@ashlar/admission';
import {
  type Ambient,
  callRepeatedly,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAXIMUM_OBJECT_BYTES,
  type Transport,
} from '@ashlar/core';
import { LRUCache } from 'lru-cache';
import type { Pod } from '../core/pod-types.ts';

/** The webhook that says which images pods may have, and what is done with its results. Times are in milliseconds. */
export interface ImagePolicy {
  readonly url: string;
  /** Authenticates to the webhook. */
  readonly transport: Transport;
  /** How long an allowing answer is used again; default 300,000. */
  readonly allowMilliseconds?: number;
  /** How long a denying answer is used again; default 30,000. */
  readonly denyMilliseconds?: number;
  /** Pause before a failed call is repeated the first time; default 500. */
  readonly retryMilliseconds?: number;
  /** Whether pods are admitted when the webhook fails; default false. */
  readonly defaultAllow?: boolean;
}

/** What the webhook answered. */
interface ImageVerdict {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: JsonObject;
}

/** Maximum number of results that are used again. */
const MAXIMUM_VERDICTS = 1024;

/** Maximum number of characters of images and annotations whose result is used again. */
const MAXIMUM_KEY = 16_384;

const TIMEOUT_SECONDS = 30;

/** Asks a webhook whether the images of new and changed pods may be used (semantics/admission#default-plugins). */
export function createImagePolicy(policy: ImagePolicy, ambient: Ambient): AdmissionPlugin {
  const reviews = new ImageReviews(policy, ambient);
  const auditPrefix = `imagepolicywebhook.${groupName(ambient.vocabulary, 'image-policy.')}`;
  return {
    name: 'ImagePolicyWebhook',
    handles: ({ resource, subresource, operation }) =>
      resource.group === '' &&
      resource.resource === 'pods' &&
      (subresource === '' || subresource === 'ephemeralcontainers') &&
      (operation === 'CREATE' || operation === 'UPDATE'),
    async validate(request) {
      let result: ImageVerdict;
      try {
        result = await reviews.answer(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!policy.defaultAllow) throw forbiddenByAdmission(request, (error as Error).message);
        request.annotate(`${auditPrefix}/failed-open`, 'true');
        return;
      }
      for (const [key, value] of Object.entries(result.auditAnnotations))
        request.annotate(`${auditPrefix}/${key}`, String(value));
      if (!result.allowed) throw forbiddenByAdmission(request, refusalOf(result));
    },
  };
}

const refusalOf = ({ reason }: ImageVerdict): string =>
  reason === ''
    ? 'one or more images rejected by webhook backend'
    : `image policy webhook backend denied one or more images: ${reason}`;

class ImageReviews {
  readonly #policy: ImagePolicy;
  readonly #ambient: Ambient;
  readonly #verdicts: LRUCache<string, ImageVerdict>;

  constructor(policy: ImagePolicy, ambient: Ambient) {
    this.#policy = policy;
    this.#ambient = ambient;
    this.#verdicts = new LRUCache({
      max: MAXIMUM_VERDICTS,
      ttlResolution: 0,
      // the cache treats 0 as no time
      perf: { now: () => ambient.clock.monotonic() + 1 },
    });
  }

  /** @throws Error if the call fails */
  async answer(request: AdmissionRequest): Promise<ImageVerdict> {
    const spec = reviewedImages(request, groupName(this.#ambient.vocabulary, 'image-policy.'));
    const key = JSON.stringify(spec);
    const cached = this.#verdicts.get(key);
    if (cached) return cached;
    const result = verdictIn(await this.#review(spec, request.signal));
    const { allowMilliseconds = 300_000, denyMilliseconds = 30_000 } = this.#policy;
    const ttl = result.allowed ? allowMilliseconds : denyMilliseconds;
    if (ttl > 0 && key.length <= MAXIMUM_KEY) this.#verdicts.set(key, result, { ttl });
    return result;
  }

  #review(spec: JsonObject, signal: AbortSignal | undefined): Promise<JsonValue> {
    const { url, transport, retryMilliseconds } = this.#policy;
    const apiVersion = `${groupName(this.#ambient.vocabulary, 'imagepolicy.')}/v1alpha1`;
    const metadata = { creationTimestamp: null };
    const review = { kind: 'ImageReview', apiVersion, metadata, spec, status: { allowed: false } };
    const call = {
      timeoutSeconds: TIMEOUT_SECONDS,
      maximumBytes: MAXIMUM_OBJECT_BYTES,
      headers: { accept: 'application/json, */*' },
      signal,
    };
    const caller = { clock: this.#ambient.clock, transport };
    const sendReview = (): Promise<JsonValue> => callWebhook(caller, { url }, review, call);
    return callRepeatedly(this.#ambient, sendReview, signal, retryMilliseconds);
  }
}

/** The images of a pod, and its annotations for the policy. */
function reviewedImages({ object, subresource, namespace }: AdmissionRequest, domain: string): JsonObject {
  const { metadata, spec = {} } = object as Pod;
  const lists = subresource === '' ? [spec.containers, spec.initContainers] : [spec.ephemeralContainers];
  const containers = lists.flatMap((list) => (list ?? []).map(({ image }) => (image ? { image } : {})));
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) =>
    key.includes(`.${domain}/`),
  );
  return {
    ...(containers.length > 0 && { containers }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations.sort()) }),
    ...(namespace !== '' && { namespace }),
  };
}

/** Reads a result: what it does not say, or in another type, is as if it were empty. */
function verdictIn(review: JsonValue): ImageVerdict {
  const status = isJsonObject(review) ? review.status : undefined;
  const { allowed, reason, auditAnnotations = {} } = isJsonObject(status) ? status : {};
  return {
    allowed: allowed === true,
    reason: typeof reason === 'string' ? reason : '',
    auditAnnotations: isJsonObject(auditAnnotations) ? auditAnnotations : {},
  };
}
