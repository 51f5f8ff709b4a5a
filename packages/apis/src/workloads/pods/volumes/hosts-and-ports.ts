/** Where in a pair of a host and a port a character is. A host with colons stands in brackets. */
const Place = { start: 0, bracketed: 1, host: 2, behindBracket: 3, port: 4, wrong: 5 } as const;

type PlaceOfPair = (typeof Place)[keyof typeof Place];

/**
 * Counts the items of a list, separated by commas, that are no pairs of a host and a port. The text is read once, character by character: it
 * may be a million pairs.
 * @param most number up to which they are counted
 */
export function wrongHostsAndPorts(text: string, most: number): number {
  let place: PlaceOfPair = Place.start;
  let wrong = 0;
  for (let i = 0; i <= text.length && wrong < most; i++) {
    const character = text[i] ?? ',';
    if (character !== ',') place = placeAfter(place, character);
    else {
      if (place !== Place.port) wrong++;
      place = Place.start;
    }
  }
  return wrong;
}

function placeAfter(place: PlaceOfPair, character: string): PlaceOfPair {
  const isBracket = character === '[' || character === ']';
  if (place === Place.bracketed)
    return character === ']' ? Place.behindBracket : character === '[' ? Place.wrong : place;
  if (place === Place.start && character === '[') return Place.bracketed;
  if (place === Place.wrong || isBracket) return Place.wrong;
  if (character === ':') return place === Place.port ? Place.wrong : Place.port;
  if (place === Place.behindBracket) return Place.wrong;
  return place === Place.start ? Place.host : place;
}
