import { type JsonValue, parseJsonPointer } from '@ashlar/core';
import {
  copyContainer,
  isContainer,
  type JsonContainer,
  type OwnContainer,
  readMember,
  replaceMember,
} from './json-container.ts';

/** Where a JSON pointer ends: the container that holds, or would hold, the value under the token. */
export interface Place<Container extends JsonContainer> {
  readonly container: Container;
  readonly token: string;
}

/**
 * An immutable document while a patch changes it: a level is copied when it is first written, and written in place after
 * that, so that many operations on one long list do not copy it each.
 */
export class JsonDraft {
  #root: JsonContainer;
  readonly #own: Set<JsonContainer> = new Set();

  constructor(document: JsonContainer) {
    this.#root = document;
  }

  get root(): JsonContainer {
    return this.#root;
  }

  replaceRoot(document: JsonContainer): void {
    this.#root = document;
  }

  /** The place that a pointer names; undefined where its parent is no container, for the root and for what is no pointer. */
  find(pointer: string): Place<JsonContainer> | undefined {
    const way = splitPointer(pointer);
    if (!way) return undefined;
    const { parents, token } = way;
    let container = this.#root;
    for (const step of parents) {
      const next = readOrNothing(container, step);
      if (!isContainer(next)) return undefined;
      container = next;
    }
    return { container, token };
  }

  /** The same place, made writable. */
  edit(pointer: string): Place<OwnContainer> | undefined {
    const way = this.find(pointer) && splitPointer(pointer);
    if (!way) return undefined;
    const { parents, token } = way;
    let container = this.#ownOf(this.#root);
    this.#root = container;
    for (const step of parents) {
      const next = this.#ownOf(readMember(container, step) as JsonContainer);
      replaceMember(container, step, next);
      container = next;
    }
    return { container, token };
  }

  /**
   * Gives up the right to write a value in place, because it comes to stand in two places.
   * @returns its size as JSON in bytes; once that is over the limit, some number above it
   */
  share(value: JsonValue, limit: number): number {
    let size = 0;
    const pending: JsonValue[] = [value];
    for (let at = pending.pop(); at !== undefined && size <= limit; at = pending.pop()) {
      if (!isContainer(at)) size += scalarSize(at);
      else {
        this.#own.delete(at);
        size += containerSize(at);
        for (const member of Object.values(at)) if (member !== undefined) pending.push(member);
      }
    }
    return size;
  }

  #ownOf(container: JsonContainer): OwnContainer {
    if (this.#own.has(container)) return container as OwnContainer;
    const own = copyContainer(container);
    this.#own.add(own);
    return own;
  }
}

function readOrNothing(container: JsonContainer, token: string): JsonValue | undefined {
  try {
    return readMember(container, token);
  } catch {
    return undefined;
  }
}

function scalarSize(value: JsonValue): number {
  return typeof value === 'string' ? textSize(value) : String(value).length;
}

/** Brackets, commas, keys and colons. */
function containerSize(container: JsonContainer): number {
  if (Array.isArray(container)) return Math.max(2, container.length + 1);
  const keys = Object.keys(container);
  return keys.reduce((size, key) => size + textSize(key) + 1, Math.max(2, keys.length + 1));
}

const encoder = new TextEncoder();

function textSize(text: string): number {
  return encoder.encode(JSON.stringify(text)).length;
}

/** The way to a container, and the token in it; undefined for the root and for what is no pointer. */
function splitPointer(
  pointer: string,
): { readonly parents: readonly string[]; readonly token: string } | undefined {
  if (!pointer.startsWith('/')) return undefined;
  const tokens = parseJsonPointer(pointer);
  return { parents: tokens.slice(0, -1), token: tokens.at(-1) as string };
}
