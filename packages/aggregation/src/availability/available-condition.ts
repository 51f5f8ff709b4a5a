import { timestampText } from '@ashlar/core';
import type { ApiService, ApiServiceCondition } from '../api-services/api-service.ts';

/** Whether the server of an API service can be used, and why. */
export interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const PASSED: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/** Whatever this server itself registers. */
export const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

const AVAILABLE = 'Available';

const availableOf = ({ status }: ApiService): ApiServiceCondition | undefined =>
  status?.conditions?.find(({ type }) => type === AVAILABLE);

/** Whether requests are passed on to the server of an API service. */
export const isAvailable = (service: ApiService): boolean => availableOf(service)?.status === 'True';

/** Returns the API service with the condition; undefined if it has it already. */
export function withAvailability(
  service: ApiService,
  { status, reason, message }: Availability,
  now: number,
): ApiService | undefined {
  const before = availableOf(service);
  if (before?.status === status && before.reason === reason && before.message === message) return undefined;
  const lastTransitionTime =
    before?.status === status ? (before.lastTransitionTime ?? null) : timestampText(now);
  const condition = { type: AVAILABLE, status, lastTransitionTime, reason, message };
  const conditions = service.status?.conditions ?? [];
  const others = conditions.map((each) => (each.type === AVAILABLE ? condition : each));
  return {
    ...service,
    status: { ...service.status, conditions: before ? others : [...conditions, condition] },
  };
}
