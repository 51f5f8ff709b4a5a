/** A number of a JSON text with its spelling (`30.0`, `1e2`): integer types reject it. */
export class SpelledNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
