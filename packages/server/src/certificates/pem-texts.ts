const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

/** A block of a PEM text, as it stands there. */
export interface PemText {
  /** `CERTIFICATE`, `EC PRIVATE KEY`, … */
  readonly type: string;
  /** From the first dash to the last. */
  readonly text: string;
}

/** The blocks of a PEM text in their order, read in one pass; what stands between them is passed over. */
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
