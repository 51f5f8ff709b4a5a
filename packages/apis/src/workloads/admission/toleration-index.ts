import type { Toleration } from '../pods/placement-types.ts';

/** For how many seconds the tolerations of one key and effect tolerate. */
interface Longest {
  /** Of those that tolerate every value; undefined if there are none. */
  everyValue: number | undefined;
  readonly byValue: Map<string | undefined, number>;
}

/** Tolerations in which it is found at once whether one of them tolerates everything that another toleration does. */
export class TolerationIndex {
  readonly #byKeyAndEffect: Map<string, Longest> = new Map();
  readonly #same: Set<string> = new Set();

  constructor(tolerations: Iterable<Toleration> = []) {
    for (const each of tolerations) this.add(each);
  }

  add(toleration: Toleration): void {
    const { key = '', effect = '', operator, value, tolerationSeconds } = toleration;
    this.#same.add(identityOf(toleration));
    const name = nameOf(key, effect);
    let longest = this.#byKeyAndEffect.get(name);
    if (!longest) {
      longest = { everyValue: undefined, byValue: new Map() };
      this.#byKeyAndEffect.set(name, longest);
    }
    const seconds = effect === 'NoExecute' ? (tolerationSeconds ?? FOREVER) : FOREVER;
    if (operator === 'Exists') longest.everyValue = Math.max(longest.everyValue ?? seconds, seconds);
    // annotations of namespaces may name any operator; one that is unknown tolerates nothing else
    else if (!operator || operator === 'Equal')
      longest.byValue.set(value, Math.max(longest.byValue.get(value) ?? seconds, seconds));
  }

  /** Whether one of them is the same toleration. */
  has(toleration: Toleration): boolean {
    return this.#same.has(identityOf(toleration));
  }

  /** Whether one of them is the same, or tolerates everything that a toleration does. */
  includes(toleration: Toleration): boolean {
    const { key = '', effect = '' } = toleration;
    if (this.has(toleration)) return true;
    for (const ofEffect of effect === '' ? [''] : [effect, '']) {
      if (includesIn(this.#byKeyAndEffect.get(nameOf(key, ofEffect)), toleration)) return true;
      // without a key only those of every value include others
      const everyValue = this.#byKeyAndEffect.get(nameOf('', ofEffect))?.everyValue;
      if (everyValue !== undefined && secondsOf(toleration) <= everyValue) return true;
    }
    return false;
  }
}

const FOREVER = Number.POSITIVE_INFINITY;

const secondsOf = ({ tolerationSeconds }: Toleration): number => tolerationSeconds ?? FOREVER;

function includesIn(longest: Longest | undefined, toleration: Toleration): boolean {
  if (!longest) return false;
  const { operator, value } = toleration;
  const { everyValue, byValue } = longest;
  const seconds = secondsOf(toleration);
  if (everyValue !== undefined && seconds <= everyValue) return true;
  const ofValue = operator === 'Equal' ? byValue.get(value) : undefined;
  return ofValue !== undefined && seconds <= ofValue;
}

const nameOf = (key: string, effect: string): string => `${effect} ${key}`;

const identityOf = ({ key, operator, value, effect, tolerationSeconds }: Toleration): string =>
  JSON.stringify([key, operator, value, effect, tolerationSeconds]);
