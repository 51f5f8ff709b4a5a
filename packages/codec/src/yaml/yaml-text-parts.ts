/** Parts that are joined to one: a text of megabytes may have a part for each of its characters. */
const JOINED_PARTS = 1024;

/** Collects the parts of a text. */
export class TextParts {
  /** The only part, if there are no more. */
  #first = '';
  #parts: string[] | undefined;
  #joined: string[] | undefined;

  add(part: string): void {
    if (part === '') return;
    if (this.#first === '') this.#first = part;
    else if (!this.#parts) this.#parts = [this.#first, part];
    else if (this.#parts.push(part) === JOINED_PARTS) this.#join(this.#parts);
  }

  #join(parts: string[]): void {
    this.#joined ??= [];
    this.#joined.push(parts.join(''));
    parts.length = 0;
  }

  /** Returns the text, and begins a new one. */
  take(): string {
    const text = this.#text();
    this.#first = '';
    this.#parts = undefined;
    this.#joined = undefined;
    return text;
  }

  #text(): string {
    if (!this.#parts) return this.#first;
    const last = this.#parts.join('');
    return this.#joined ? this.#joined.join('') + last : last;
  }
}
