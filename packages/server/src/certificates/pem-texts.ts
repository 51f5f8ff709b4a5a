const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

/** A block of a PEM text, verbatim. */
export interface PemText {
  /** `CERTIFICATE`, `EC PRIVATE KEY`, … */
  readonly type: string;
  /** From the first dash to the last. */
  readonly text: string;
}

/** Returns the blocks of a PEM text in order, in one pass; text between blocks is skipped. */
export function pemTexts(pem: string): readonly PemText[] {
  const found: PemText[] = [];
  for (let begin = pem.indexOf(BEGIN); begin >= 0; ) {
    const typeEnd = pem.indexOf(DASHES, begin + BEGIN.length);
    const end = pem.indexOf(END, begin);
    const close = end < 0 ? -1 : pem.indexOf(DASHES, end + END.length);
    if (close < 0) break;
    const next = close + DASHES.length;
    found.push({ type: pem.slice(begin + BEGIN.length, typeEnd), text: pem.slice(begin, next) });
    begin = pem.indexOf(BEGIN, next);
  }
  return found;
}
