/**
 * The queues that a flow may use: a few of all, dealt by a hash of its name, so that two flows seldom share all of theirs
 * (semantics/requests#priority-and-fairness).
 * @returns `size` different numbers below `queues`
 */
export function handOfQueues(flow: string, queues: number, size: number): readonly number[] {
  let rest = hashOf(flow);
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(size, queues); dealt++) {
    const left = BigInt(queues - dealt);
    hand.push(nthFree(Number(rest % left), hand));
    rest /= left;
  }
  return hand;
}

/** Returns the number at a position among those that have not been dealt. */
function nthFree(position: number, dealt: readonly number[]): number {
  let number = position;
  for (const taken of [...dealt].sort((a, b) => a - b)) if (taken <= number) number++;
  return number;
}

const [PRIME, FIRST_BASIS, SECOND_BASIS] = [0x01000193, 0x811c9dc5, 0x2c1b3c6d];

/** 64 bits of two hashes (FNV-1a). */
function hashOf(text: string): bigint {
  let [high, low] = [FIRST_BASIS, SECOND_BASIS];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit ^ (i & 0xff), PRIME);
  }
  return (BigInt(mixed(high)) << 32n) | BigInt(mixed(low));
}

/** Spreads the last characters over all bits. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
