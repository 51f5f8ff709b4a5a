/** A value of DER (X.690) with what it holds. */
export interface DerNode {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The values inside of constructed ones. */
  readonly children: readonly DerNode[];
}

export const DER_INTEGER = 0x02;
export const DER_BIT_STRING = 0x03;
export const DER_OCTET_STRING = 0x04;
export const DER_SEQUENCE = 0x30;

const CONSTRUCTED = 0x20;
const MAXIMUM_DEPTH = 32;

/** Reads one value that takes all bytes; undefined where they are no DER. */
export function readDer(bytes: Uint8Array): DerNode | undefined {
  const nodes = readAll(bytes, 0);
  return nodes?.length === 1 ? nodes[0] : undefined;
}

function readAll(bytes: Uint8Array, depth: number): readonly DerNode[] | undefined {
  if (depth > MAXIMUM_DEPTH) return undefined;
  const nodes: DerNode[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number;
    const size = readLength(bytes, at + 1);
    if ((tag & 0x1f) === 0x1f || !size || size.end > bytes.length) return undefined;
    const content = bytes.subarray(size.start, size.end);
    const children = tag & CONSTRUCTED ? readAll(content, depth + 1) : [];
    if (!children) return undefined;
    nodes.push({ tag, content, children });
    at = size.end;
  }
  return nodes;
}

function readLength(
  bytes: Uint8Array,
  at: number,
): { readonly start: number; readonly end: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0x80 || first > 0x84) return undefined;
  if (first < 0x80) return { start: at + 1, end: at + 1 + first };
  const start = at + 1 + (first & 0x7f);
  if (start > bytes.length) return undefined;
  const length = bytes.subarray(at + 1, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { start, end: start + length };
}
