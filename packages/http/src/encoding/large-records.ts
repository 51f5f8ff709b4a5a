import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';

/** Stored objects of more bytes take a good part of the time that a turn may last: as responses and events they are decoded and encoded with pauses. */
const LARGE_BYTES = 262_144;
/** The same of an item of a list, which shares its turn with others. */
const LARGE_ITEM_BYTES = 65_536;

/** Whether a response or an event with a record is made with pauses. */
export const isLarge = (result: ResultObject): result is ObjectRecord =>
  ObjectRecord.is(result) && result.stored.length > LARGE_BYTES;

/** Whether an item of a list is a record that is encoded on its own, with pauses. */
export const isLargeItem = (result: ResultObject | undefined): result is ObjectRecord =>
  ObjectRecord.is(result) && result.stored.length > LARGE_ITEM_BYTES;
