import { CodedError, errorMessage, type GroupResource, StatusError } from '@ashlar/core';
import type { Entry } from '../contracts/entry.ts';

/** What is wrong with a stored object. */
type Corruption = 'untransformable' | 'undecodable';

const TEXTS: Readonly<Record<Corruption, string>> = {
  untransformable: 'data from the storage is not transformable revision=0',
  undecodable: 'object not decodable revision=0',
};

/** Where the reference stores objects: messages name keys below it. */
const ROOT = '/registry';

const OPEN_BRACE = 0x7b;

/** A stored object cannot be read: its value cannot be decrypted, or is no object. The message is that of the cause. */
export class UnreadableObjectError extends CodedError {
  static override readonly code: string = 'ERR_UNREADABLE_OBJECT';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'UnreadableObjectError';
  readonly key: string;
  readonly corruption: Corruption;

  constructor(key: string, corruption: Corruption, cause: unknown) {
    super(errorMessage(cause), { cause });
    this.key = key;
    this.corruption = corruption;
  }
}

/** Returns why the object of an entry certainly cannot be read, without decoding it. */
export function faultOf({ key, value, fault }: Entry): UnreadableObjectError | undefined {
  if (fault) return new UnreadableObjectError(key, 'untransformable', fault);
  if (value[0] === OPEN_BRACE) return undefined;
  return new UnreadableObjectError(key, 'undecodable', 'the stored value is not a JSON object');
}

/**
 * The errors of unreadable objects (semantics/status#situations). Where they may be deleted, they are told apart from other errors.
 */
export class UnreadableResponses {
  readonly #isExplained: boolean;

  /** @param isExplained whether such objects may be deleted, by a feature gate */
  constructor(isExplained: boolean) {
    this.#isExplained = isExplained;
  }

  /** For a read of the object, and a deletion. */
  read(error: UnreadableObjectError): StatusError {
    return StatusError.internalError(this.#isExplained ? corrupt(error, error.key) : error);
  }

  /** For a change of it. */
  write(error: UnreadableObjectError): StatusError {
    return StatusError.internalError(this.#isExplained ? new Error(explained(error)) : error);
  }

  /** For a list with such objects. */
  list(errors: readonly [UnreadableObjectError, ...UnreadableObjectError[]]): StatusError {
    const [first] = errors;
    const action = first.corruption === 'untransformable' ? 'transform' : 'decode';
    if (!this.#isExplained)
      return StatusError.internalError(
        new Error(`unable to ${action} key "${ROOT}${first.key}": ${first.message}`),
      );
    const faults = errors.map((error) => {
      const key = ROOT + error.key;
      return { key, message: corrupt(error, key).message };
    });
    return StatusError.storageReadError(resourceOf(first.key), 'list', faults);
  }

  /** For watchers of an object that changed, or was deleted. */
  watch(error: UnreadableObjectError, type: 'changed' | 'deleted'): StatusError {
    if (type === 'changed' || !this.#isExplained) return this.write(error);
    const message = `saw a DELETED event, but object data is corrupt - ${explained(error)}`;
    return new StatusError({ code: 500, reason: 'StorageReadError', message }, error);
  }
}

const explained = (error: UnreadableObjectError): string => `${TEXTS[error.corruption]}: ${error.message}`;

const corrupt = (error: UnreadableObjectError, key: string): Error =>
  new Error(
    `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${explained(error)}`,
  );

/** The resource of a key, by the prefix of its type: `/deployments.apps/default/a`. */
function resourceOf(key: string): GroupResource {
  const name = key.slice(1, key.indexOf('/', 1));
  const dot = name.indexOf('.');
  return dot < 0
    ? { group: '', resource: name }
    : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}
