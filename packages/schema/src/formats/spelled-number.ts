/** A number of a JSON text as it is written there (`30.0`, `1e2`): types that take whole numbers only reject it. */
export class SpelledNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
