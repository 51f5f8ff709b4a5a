import type { UserInfo } from '@ashlar/core';
import { byteString, decodeUtf8 } from './utf8.ts';

/**
 * A user as objects and reviews name it: header values may have bytes that are no UTF-8, which no encoding of an object can have; each
 * becomes U+FFFD, as on the reference server.
 */
export function writtenUser(user: UserInfo): UserInfo {
  const { name, uid, groups, extra } = user;
  const isWritten =
    isText(name) &&
    isText(uid) &&
    groups.every(isText) &&
    Object.entries(extra ?? {}).every(([key, values]) => isText(key) && values.every(isText));
  if (isWritten) return user;
  return {
    name: written(name),
    ...(uid !== undefined && { uid: written(uid) }),
    groups: groups.map(written),
    ...(extra && {
      extra: Object.fromEntries(
        Object.entries(extra).map(([key, values]) => [written(key), values.map(written)]),
      ),
    }),
  };
}

const LONE_SURROGATE = /\p{Surrogate}/u;

const isText = (text: string | undefined): boolean => text === undefined || !LONE_SURROGATE.test(text);

function written(text: string): string {
  if (isText(text)) return text;
  return decodeUtf8(Uint8Array.from(byteString(text), (character) => character.charCodeAt(0)));
}
