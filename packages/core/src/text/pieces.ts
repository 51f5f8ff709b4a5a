/**
 * The pieces of a text between separators, one by one: of a text that is as long as a body there may be millions, and whoever has
 * seen enough of them takes no more.
 * @example [...piecesOf('a,b', ',')] // ['a', 'b']
 */
export function* piecesOf(text: string, separator: string): Generator<string, void, undefined> {
  let start = 0;
  for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
    yield text.slice(start, end);
    start = end + separator.length;
  }
  yield text.slice(start);
}
