import { CodedError } from '@ashlar/core';

/** One record, and the number of its first line (from 1). */
export interface SeparatedRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A syntax error in comma-separated values. */
export class SeparatedValuesError extends CodedError {
  static override readonly code: string = 'ERR_SEPARATED_VALUES';
  override readonly name: string = 'SeparatedValuesError';
  /** From 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/**
 * Parses comma-separated values (RFC 4180): fields may be quoted, a quote inside is doubled, quoted fields
 * may span lines, records may differ in length. Empty lines are skipped, blanks belong to their field.
 *
 * @throws SeparatedValuesError at a quote inside an unquoted field, at text after a closing quote, and if a
 * quoted field does not end
 */
export function parseSeparatedValues(text: string): readonly SeparatedRecord[] {
  const reader = new Reader(text);
  const records: SeparatedRecord[] = [];
  for (let record = reader.record(); record; record = reader.record()) records.push(record);
  return records;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    // a line ends with LF, CR LF or with the text
    this.#text = text.replace(/\r\n/g, '\n').replace(/\r$/, '');
  }

  record(): SeparatedRecord | undefined {
    while (this.#text[this.#at] === '\n') this.#newLine();
    if (this.#at >= this.#text.length) return undefined;
    const line = this.#line;
    const fields = [this.#field()];
    while (this.#text[this.#at] === ',') {
      this.#at++;
      fields.push(this.#field());
    }
    if (this.#at < this.#text.length) this.#newLine();
    return { line, fields };
  }

  #field(): string {
    return this.#text[this.#at] === '"' ? this.#quoted() : this.#bare();
  }

  #bare(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[,\n]/.test(this.#text[this.#at] as string)) this.#at++;
    const field = this.#text.slice(start, this.#at);
    if (field.includes('"'))
      throw new SeparatedValuesError(this.#line, 'a quote in a field that is not quoted');
    return field;
  }

  #quoted(): string {
    const opened = this.#line;
    let field = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1);
      if (end < 0) throw new SeparatedValuesError(opened, 'a quoted field does not end');
      const part = this.#text.slice(this.#at + 1, end);
      field += part;
      this.#line += part.split('\n').length - 1;
      this.#at = end + 1;
      if (this.#text[this.#at] !== '"') break;
      field += '"';
    }
    if (this.#at < this.#text.length && !/[,\n]/.test(this.#text[this.#at] as string)) {
      throw new SeparatedValuesError(this.#line, 'text after the closing quote of a field');
    }
    return field;
  }

  #newLine(): void {
    this.#at++;
    this.#line++;
  }
}
