/**
 * Bits of the code of each byte, as digits of base 32 (RFC 7541 appendix B). The code is canonical: shorter codes first, and in the
 * order of the bytes among those of one length, so that the lengths say all.
 */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca' +
  'd67777777777777777777777878djde6f56565666577666567655677777fbeds' +
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn' +
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq';

/** A tree of codes in one array: two places for each node, which hold another node, or a byte as `-1 - byte`. */
const TREE: Int16Array = growTree();

function growTree(): Int16Array {
  const lengths = [...LENGTHS].map((digit) => Number.parseInt(digit, 32));
  const symbols = lengths.map((_, symbol) => symbol);
  symbols.sort((a, b) => (lengths[a] as number) - (lengths[b] as number) || a - b);
  const tree: number[] = [0, 0];
  let code = 0;
  let before = 0;
  for (const symbol of symbols) {
    const length = lengths[symbol] as number;
    code *= 2 ** (length - before);
    before = length;
    plant(tree, code++, length, symbol);
  }
  return Int16Array.from(tree);
}

function plant(tree: number[], code: number, length: number, symbol: number): void {
  let node = 0;
  for (let bit = length - 1; bit > 0; bit--) {
    const place = node * 2 + (Math.floor(code / 2 ** bit) & 1);
    if (tree[place] === 0) {
      tree[place] = tree.length / 2;
      tree.push(0, 0);
    }
    node = tree[place] as number;
  }
  tree[node * 2 + (code & 1)] = -1 - symbol;
}

/** @throws RangeError where the bytes are no text in this code, or end with more than padding */
export function decodeHuffman(bytes: Buffer): string {
  let text = '';
  let node = 0;
  let depth = 0;
  let padding = true;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const one = (byte >> bit) & 1;
      const next = TREE[node * 2 + one] as number;
      depth++;
      padding &&= one === 1;
      if (next > 0) node = next;
      else if (next === 0) throw new RangeError('a header has bits that are no character');
      else {
        text += String.fromCharCode(-1 - next);
        node = 0;
        depth = 0;
        padding = true;
      }
    }
  }
  if (depth > 7 || !padding) throw new RangeError('a header ends inside a character');
  return text;
}
