import type { AdmissionPlugin, AdmissionRequest } from '@ashlar/admission';
import { type Clock, joinedTexts, StatusError } from '@ashlar/core';
import type { Event } from './event.ts';
import type { EventLimit } from './event-limits.ts';

const DEFAULT_CACHE_SIZE = 4096;
/** Maximum number of characters of a key. */
const MAXIMUM_KEY = 1024;

/**
 * Refuses events of the core group that come faster than limits allow (semantics/admission#default-plugins). An event counts for every
 * limit, also if one refuses it; dry runs count for none.
 */
export function createEventRateLimit(limits: readonly EventLimit[], clock: Clock): AdmissionPlugin {
  const enforced = limits.map((limit) => new EnforcedLimit(limit, clock));
  return {
    name: 'EventRateLimit',
    handles: ({ kind, operation, dryRun }) =>
      kind.kind === 'Event' && kind.group === '' && !dryRun && HANDLED.has(operation),
    validate(request) {
      const refusals = enforced.flatMap((limit) => limit.accept(request) ?? []);
      if (refusals.length === 0) return;
      const message = `Too many requests: ${joinedTexts(refusals)}`;
      throw new StatusError({ code: 429, reason: 'TooManyRequests', message });
    },
  };
}

const HANDLED: ReadonlySet<string> = new Set(['CREATE', 'UPDATE']);

/** Events that may still come at a time. */
interface Bucket {
  tokens: number;
  /** Milliseconds of the clock. */
  filledAt: number;
}

class EnforcedLimit {
  readonly #limit: EventLimit;
  readonly #clock: Clock;
  /** By key, the one that was used last at the end. */
  readonly #buckets: Map<string, Bucket> = new Map();

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts an event; returns why it is refused. */
  accept(request: AdmissionRequest): string | undefined {
    const { type } = this.#limit;
    // names that callers choose are as long as they like
    const key = keyOf(request, type).slice(0, MAXIMUM_KEY);
    const bucket = this.#bucketOf(key);
    if (bucket.tokens < 1) return `limit reached on type ${type} for key ${key}`;
    bucket.tokens -= 1;
    return undefined;
  }

  /** The bucket of a key, filled for the time since its last event. */
  #bucketOf(key: string): Bucket {
    const { qps, burst, cacheSize } = this.#limit;
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * qps);
    bucket.filledAt = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined && this.#buckets.size > (cacheSize || DEFAULT_CACHE_SIZE))
      this.#buckets.delete(oldest);
    return bucket;
  }
}

function keyOf({ namespace, user, object }: AdmissionRequest, type: EventLimit['type']): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.name;
  const { source = {}, involvedObject = {} } = (object ?? {}) as Event;
  const { kind, namespace: where, name, uid, apiVersion } = involvedObject;
  return [source.component, source.host, kind, where, name, uid, apiVersion]
    .map((part) => part ?? '')
    .join('');
}
