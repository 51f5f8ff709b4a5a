import type { YamlCursor, YamlMark } from './yaml-cursor.ts';

/** A position where a key without `?` may have begun; it is one once a `:` follows on its line. */
interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly mark: YamlMark;
}

const MAXIMUM_KEY_LENGTH = 1024;

/** Where keys without `?` may have begun: at most one in each open collection. */
export class SimpleKeys {
  readonly #cursor: YamlCursor;
  readonly #keys: SimpleKey[] = [noKey({ index: 0, line: 0, column: 0 }, 0)];
  readonly #byToken = new Map<number, SimpleKey>();

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  /** Whether a key may begin with the token of a number. @throws YamlFault if it must, and did not end in time */
  mayBegin(tokenNumber: number): boolean {
    if (this.#byToken.size === 0) return false;
    const key = this.#byToken.get(tokenNumber);
    return key !== undefined && this.#isValid(key);
  }

  /** Enters a flow collection. */
  enter(tokenNumber: number): void {
    this.#keys.push(noKey(this.#cursor.mark, tokenNumber));
  }

  /** An empty collection removes its own possible key: the reference server reads `[]: x` as `[]`. */
  leave(): void {
    this.#byToken.delete(this.#keys.pop()?.tokenNumber ?? -1);
  }

  /** The key that ends here, which is one from now on; undefined if there is none. */
  take(): SimpleKey | undefined {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!this.#isValid(key)) return undefined;
    this.#forget(key);
    return key;
  }

  /** Begins a key. @throws YamlFault if one that must end has not */
  save(tokenNumber: number, required: boolean): void {
    this.remove();
    const key: SimpleKey = { possible: true, required, tokenNumber, mark: this.#cursor.mark };
    this.#keys[this.#keys.length - 1] = key;
    this.#byToken.set(tokenNumber, key);
  }

  /** Ends the last key: it is none. @throws YamlFault if it must be one */
  remove(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!key.possible) return;
    if (key.required) throw this.#cursor.fault("could not find expected ':'");
    this.#forget(key);
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const { line, index } = this.#cursor;
    if (key.mark.line >= line && key.mark.index + MAXIMUM_KEY_LENGTH >= index) return true;
    if (key.required) throw this.#cursor.fault("could not find expected ':'");
    key.possible = false;
    return false;
  }

  #forget(key: SimpleKey): void {
    key.possible = false;
    this.#byToken.delete(key.tokenNumber);
  }
}

function noKey(mark: YamlMark, tokenNumber: number): SimpleKey {
  return { possible: false, required: false, tokenNumber, mark };
}
