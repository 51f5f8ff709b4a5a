import { decodeEnvelope, encodeEnvelope } from '@ashlar/codec';
import type { AskedBody } from './body-format.ts';
import type { Choices } from './choices.ts';

/** A field that no message has: 4000, of two bytes. */
const UNKNOWN_FIELD = [0x82, 0xfa, 0x01, 0x02, 0x41, 0x42];

/** An object in its envelope whose bytes are changed: no correct object any more, or an unusual one. */
export function brokenBody(choices: Choices, whole: Uint8Array): AskedBody {
  const { apiVersion, kind, raw } = decodeEnvelope(whole);
  const about = choices.pick([
    'cut',
    'cut message',
    'unknown field',
    'other kind',
    'other version',
    'no type',
    'prefix',
    'content type',
    'empty',
    'wire type',
  ]);
  const cut = (bytes: Uint8Array): Uint8Array => bytes.slice(0, choices.below(bytes.length));
  const bytes = {
    cut: () => cut(whole),
    'cut message': () => encodeEnvelope({ apiVersion, kind, raw: cut(raw) }),
    'unknown field': () =>
      encodeEnvelope({ apiVersion, kind, raw: Uint8Array.from([...raw, ...UNKNOWN_FIELD]) }),
    'other kind': () => encodeEnvelope({ apiVersion, kind: choices.pick(['Nope', 'Pod', '']), raw }),
    'other version': () =>
      encodeEnvelope({ apiVersion: choices.pick(['v9', 'nope/v1', 'v1', '']), kind, raw }),
    'no type': () => encodeEnvelope({ apiVersion: '', kind: '', raw }),
    prefix: () => whole.slice(choices.below(4) + 1),
    'content type': () =>
      encodeEnvelope({
        apiVersion,
        kind,
        raw,
        contentType: choices.pick(['application/json', 'a', 'application/vnd.kubernetes.protobuf']),
      }),
    empty: () => new Uint8Array(),
    // metadata as a number
    'wire type': () => encodeEnvelope({ apiVersion, kind, raw: Uint8Array.of(0x08, 0x01) }),
  }[about as 'cut']();
  return { bytes, about: ` (${about})` };
}
