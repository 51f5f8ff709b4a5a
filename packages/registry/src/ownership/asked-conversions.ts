import { type Ambient, type ApiObject, type JsonObject, runInSlices, type Steps } from '@ashlar/core';
import type { ObjectConverter } from '../definition/custom-records.ts';

interface Question {
  readonly object: ApiObject;
  readonly apiVersion: string;
}

/**
 * Objects in other versions, for a computation that cannot wait for a webhook: what it misses is asked for when it has ended, and it runs
 * again. Objects are the same if their content is, since each run makes its own.
 */
class AskedConversions {
  readonly #converter: ObjectConverter;
  /** Undefined for what cannot be converted. */
  readonly #answers: Map<string, JsonObject | undefined> = new Map();
  #missing: Map<string, Question> = new Map();

  constructor(converter: ObjectConverter) {
    this.#converter = converter;
  }

  get isComplete(): boolean {
    return this.#missing.size === 0;
  }

  readonly convert = (object: JsonObject, apiVersion: string): JsonObject => {
    const question = { object: withoutOwners(object as unknown as ApiObject), apiVersion };
    const key = JSON.stringify(question);
    const answer = this.#answers.get(key);
    if (answer) return answer;
    if (!this.#answers.has(key)) this.#missing.set(key, question);
    throw new Error(`there is no form in ${apiVersion}`);
  };

  async load(): Promise<void> {
    const missing = this.#missing;
    this.#missing = new Map();
    await Promise.all([...missing].map(([key, question]) => this.#ask(key, question)));
  }

  async #ask(key: string, { object, apiVersion }: Question): Promise<void> {
    try {
      const [converted] = await this.#converter.convert([object], apiVersion);
      this.#answers.set(key, converted as unknown as JsonObject);
    } catch {
      this.#answers.set(key, undefined);
    }
  }
}

/** Converters see no owners of fields, as in release 1.32. */
function withoutOwners({ metadata, ...rest }: ApiObject): ApiObject {
  const { managedFields: _, ...others } = metadata;
  return { ...rest, metadata: others };
}

/** Runs a computation until all conversions that it asks for are known; what it then returns or throws is its result. */
export async function runWithConversions<T>(
  converter: ObjectConverter,
  ambient: Pick<Ambient, 'clock' | 'turns'>,
  compute: (convert: AskedConversions['convert']) => Steps<T>,
): Promise<T> {
  const conversions = new AskedConversions(converter);
  for (;;) {
    const outcome = await outcomeOf(async () => runInSlices(compute(conversions.convert), ambient));
    if (conversions.isComplete) return outcome();
    await conversions.load();
  }
}

async function outcomeOf<T>(compute: () => Promise<T>): Promise<() => T> {
  try {
    const result = await compute();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
