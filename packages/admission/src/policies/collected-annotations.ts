import type { AdmissionRequest } from '../admission-request.ts';

const MAXIMUM_VALUE_BYTES = 10 * 1024;

/** Audit annotations of policies for one request: of one key, the different values that bindings give. */
export class CollectedAnnotations {
  readonly #values: Map<string, Set<string>> = new Map();

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set<string>();
    this.#values.set(key, values.add(shortened(value)));
  }

  annotate(request: AdmissionRequest): void {
    for (const [key, values] of this.#values) request.annotate(key, [...values].join(', '));
  }
}

/** Cuts a text after its first bytes. */
function shortened(value: string): string {
  if (value.length * 3 <= MAXIMUM_VALUE_BYTES) return value;
  const bytes = new TextEncoder().encode(value);
  if (bytes.length <= MAXIMUM_VALUE_BYTES) return value;
  return new TextDecoder().decode(bytes.subarray(0, MAXIMUM_VALUE_BYTES));
}
