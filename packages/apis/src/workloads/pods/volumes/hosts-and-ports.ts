/** Where in a pair of a host and a port a character is. A host with colons stands in brackets. */
const Place = { start: 0, bracketed: 1, host: 2, behindBracket: 3, port: 4, wrong: 5 } as const;

type PlaceOfPair = (typeof Place)[keyof typeof Place];

const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/**
 * Counts the items of a list, separated by commas, that are no pairs of a host and a port. The text is read once, character by character: it
 * may be a million pairs.
 * @param most number up to which they are counted
 */
export function wrongHostsAndPorts(text: string, most: number): number {
  let place: PlaceOfPair = Place.start;
  let wrong = 0;
  for (let i = 0; i <= text.length && wrong < most; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : COMMA;
    if (unit !== COMMA) place = placeAfter(place, unit);
    else {
      if (place !== Place.port) wrong++;
      place = Place.start;
    }
  }
  return wrong;
}

function placeAfter(place: PlaceOfPair, unit: number): PlaceOfPair {
  if (place === Place.bracketed)
    return unit === CLOSING ? Place.behindBracket : unit === OPENING ? Place.wrong : place;
  if (place === Place.start && unit === OPENING) return Place.bracketed;
  if (place === Place.wrong || unit === OPENING || unit === CLOSING) return Place.wrong;
  if (unit === COLON) return place === Place.port ? Place.wrong : Place.port;
  if (place === Place.behindBracket) return Place.wrong;
  return place === Place.start ? Place.host : place;
}
