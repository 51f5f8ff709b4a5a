/** Reads rows by their keys; those that are asked for in one turn are one query. */
export class RowReader<R> {
  readonly #read: (keys: readonly RowKey[]) => Promise<ReadonlyMap<string, R>>;
  #waiting: Promise<ReadonlyMap<string, R>> | undefined;
  #keys: RowKey[] = [];

  /** @param read returns the rows that exist, by {@link textOf} their keys */
  constructor(read: (keys: readonly RowKey[]) => Promise<ReadonlyMap<string, R>>) {
    this.#read = read;
  }

  async get(key: RowKey): Promise<R | undefined> {
    this.#keys.push(key);
    this.#waiting ??= this.#readSoon();
    return (await this.#waiting).get(textOf(key));
  }

  async #readSoon(): Promise<ReadonlyMap<string, R>> {
    await new Promise(setImmediate);
    const keys = this.#keys;
    [this.#keys, this.#waiting] = [[], undefined];
    return this.#read(keys);
  }
}

/** What identifies a row as an object. */
export interface RowKey {
  readonly name: string;
  readonly namespace: string;
}

export const textOf = ({ name, namespace }: RowKey): string => `${namespace}/${name}`;
