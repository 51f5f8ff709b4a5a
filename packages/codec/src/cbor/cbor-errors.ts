import { DecodeError } from '../serializers/decode-error.ts';
import { unacceptable } from './cbor-cursor.ts';

/** Text that is not UTF-8. */
export const badText = (): DecodeError => new DecodeError('cbor: invalid UTF-8 string');

/** A simple value other than booleans and null. */
export const unknownSimple = (value: number): DecodeError =>
  unacceptable('primitives', `simple value ${value} is not recognized`);

/** @param index of the second one in its map */
export function duplicateKey(key: string, index: number): DecodeError {
  return new DecodeError(`cbor: found duplicate map key "${key}" at map element index ${index}`);
}

/** An item of another type than the member has. */
export function mismatch(major: string, goType: string): DecodeError {
  return new DecodeError(`cbor: cannot unmarshal ${major} into Go value of type ${goType}`);
}

/** A key that can be the name of no field. */
export function noFieldName(major: string): DecodeError {
  return mismatch(
    major,
    `string (map key is of type ${major} and cannot be used to match struct field name)`,
  );
}

/** An integer beyond 64 bits. */
export function tooLarge(major: string, value: bigint, goType: string): DecodeError {
  return new DecodeError(
    `cbor: cannot unmarshal ${major} into Go value of type ${goType} (${value} overflows Go's int64)`,
  );
}

/** The same, for a time. */
export const tooLargeTime = ({ message }: DecodeError): DecodeError =>
  new DecodeError(message.replace('of type int64', 'of type time.Time'));
