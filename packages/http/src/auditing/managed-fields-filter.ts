/** Where the members and items of an answer stand. What is elsewhere is passed over. */
type Place = 'answer' | 'items' | 'rows' | 'object' | 'row' | 'metadata';

/** What begins with a bracket, by the place and the name of the member around it. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['{', 'answer'],
  ['answer.metadata{', 'metadata'],
  ['answer.items[', 'items'],
  ['answer.rows[', 'rows'],
  ['items.{', 'object'],
  ['rows.{', 'row'],
  ['row.object{', 'object'],
  ['object.metadata{', 'metadata'],
]);

const MANAGED_FIELDS = 'managedFields';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Cuts the records of who manages which field out of the compact JSON of an object, a list or a table, while its pieces come. Nothing is
 * decoded: it may be as long and as deep as it is.
 */
export class ManagedFieldsFilter {
  readonly #places: Place[] = [];
  /** Open brackets in what is passed over. */
  #elsewhere = 0;
  #isText = false;
  #isEscaped = false;
  /** Whether the next text is the name of a member. */
  #isName = false;
  #name = '';
  /** Of a member of metadata: until its name is known it may have to be cut, with the comma before it. */
  #state: 'kept' | 'undecided' | 'cut' = 'kept';
  #isFirst = true;
  /** The undecided end of earlier pieces. */
  #held: Uint8Array[] = [];
  /** Where what is kept begins in this piece, and what is undecided. */
  #from = 0;
  #undecided = 0;
  #kept: Uint8Array[] = [];

  /** Returns what is to be kept up to the end of the next piece, as far as that is known. */
  next(piece: Uint8Array): readonly Uint8Array[] {
    this.#kept = [];
    this.#from = 0;
    this.#undecided = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (this.#isText) this.#readText(piece, byte);
      else if (byte === QUOTE) this.#isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(byte, at);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close(at);
      else if (this.#elsewhere === 0 && (byte === COMMA || byte === COLON)) this.#separate(byte, at);
    }
    this.#endPiece(piece);
    return this.#kept;
  }

  #readText(piece: Uint8Array, byte: number): void {
    if (!this.#isEscaped && byte === QUOTE) {
      this.#isText = false;
      if (this.#isName && this.#state === 'undecided') this.#decide(piece);
      return;
    }
    this.#isEscaped = !this.#isEscaped && byte === BACKSLASH;
    if (this.#isName && this.#name.length <= MANAGED_FIELDS.length) this.#name += String.fromCharCode(byte);
  }

  #open(byte: number, at: number): void {
    const bracket = byte === OPEN_LIST ? '[' : '{';
    const around = this.#places.at(-1);
    const place =
      this.#elsewhere > 0 ? undefined : PLACES.get(around ? `${around}.${this.#name}${bracket}` : bracket);
    this.#isName = place !== undefined && byte === OPEN_OBJECT;
    this.#name = '';
    if (!place) this.#elsewhere++;
    else this.#places.push(place);
    if (place !== 'metadata') return;
    this.#isFirst = true;
    this.#hold(at + 1);
  }

  #close(at: number): void {
    this.#isName = false;
    if (this.#elsewhere > 0) this.#elsewhere--;
    else if (this.#places.pop() === 'metadata') this.#keep(at);
  }

  #separate(byte: number, at: number): void {
    const place = this.#places.at(-1);
    this.#isName = byte === COMMA && place !== 'items' && place !== 'rows';
    if (byte === COLON) return;
    this.#name = '';
    if (place !== 'metadata') return;
    // without the first member the second has no comma before it
    if (this.#state === 'kept') this.#isFirst = false;
    this.#hold(this.#isFirst ? at + 1 : at);
  }

  #hold(at: number): void {
    if (this.#state === 'cut') this.#from = at;
    this.#state = 'undecided';
    this.#undecided = at;
  }

  #decide(piece: Uint8Array): void {
    if (this.#name !== MANAGED_FIELDS) {
      this.#keep(0);
      return;
    }
    this.#add(piece.subarray(this.#from, this.#undecided));
    this.#held = [];
    this.#state = 'cut';
  }

  /** @param at where what is cut ends */
  #keep(at: number): void {
    if (this.#state === 'cut') this.#from = at;
    for (const each of this.#held) this.#add(each);
    this.#held = [];
    this.#state = 'kept';
  }

  #endPiece(piece: Uint8Array): void {
    if (this.#state === 'cut') return;
    if (this.#state === 'kept') {
      this.#add(piece.subarray(this.#from));
      return;
    }
    this.#add(piece.subarray(this.#from, this.#undecided));
    this.#held.push(piece.subarray(this.#undecided));
  }

  #add(piece: Uint8Array): void {
    if (piece.length > 0) this.#kept.push(piece);
  }
}
