import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonValue } from '@ashlar/core';
import type { Answered } from '../projects/peer.ts';
import type { Question } from './questions.ts';

/** A response as a tester compares it. */
export interface Compared {
  readonly status: number;
  readonly headers: { readonly warning?: string | undefined };
  readonly body: JsonValue;
}

/** A response without what differs each time. */
export function compared({ status, warnings, body }: Answered): Compared {
  const text = JSON.stringify(body)
    .replace(UUID, '<uid>')
    .replace(/"20[2-9]\d-\d\d-\d\dT[\d:]{8}Z"/g, '"<time>"')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"<version>"')
    .replace(/"nodePort":3\d{4}/g, '"nodePort":30000');
  return { status, headers: { warning: warnings.join(', ') }, body: JSON.parse(text) as JsonValue };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Difference {
  readonly path: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** What a tester knows: which differences mean nothing, and which are ruled. */
interface Tester {
  compare(theirs: Compared, ours: Compared): readonly Difference[];
  judged(
    question: Question,
    theirs: Compared,
    ours: Compared,
    found: readonly Difference[],
  ): { readonly left: readonly Difference[] };
  general(value: unknown): string;
}

/** Loads what compares. @param folder of the tester */
export async function loadTester(folder: string): Promise<Tester> {
  return (await import(pathToFileURL(join(folder, 'compare.mjs')).href)) as Tester;
}

/** Differences that no ruling explains, one of each kind. */
export class Differences {
  readonly #tester: Tester;
  readonly #kinds: Map<string, { count: number; readonly first: string }> = new Map();
  asked = 0;
  found = 0;

  constructor(tester: Tester) {
    this.#tester = tester;
  }

  add(question: Question, theirs: Compared, ours: Compared): void {
    this.asked++;
    const found = this.#tester.compare(theirs, ours);
    if (found.length === 0) return;
    const { left } = this.#tester.judged(question, theirs, ours, found);
    if (left.length === 0) return;
    this.found++;
    const key = left.slice(0, 2).map((difference) => this.#keyOf(difference));
    const first = [
      question.name,
      ` theirs ${textOf(theirs)}`,
      ` ours   ${textOf(ours)}`,
      ...left.map(lineOf),
    ];
    const known = this.#kinds.get(key.join());
    if (known) known.count++;
    else this.#kinds.set(key.join(), { count: 1, first: first.join('\n') });
  }

  /** The kinds, most frequent first. */
  report(): readonly string[] {
    const sorted = [...this.#kinds.values()].sort((a, b) => b.count - a.count);
    return sorted.map(({ count, first }) => `${count} × ${first}`);
  }

  #keyOf({ path, a, b }: Difference): string {
    return [path.replace(/\d+/g, '*'), this.#tester.general(a), this.#tester.general(b)].join();
  }
}

const MOST = 300;

function textOf({ status, body }: Compared): string {
  const { message } = (body ?? {}) as { message?: string };
  return `${status} ${message ?? ''}`.slice(0, MOST);
}

const lineOf = ({ path, a, b }: Difference): string =>
  `   ${path} ${JSON.stringify(a)?.slice(0, MOST)} ≠ ${JSON.stringify(b)?.slice(0, MOST)}`;
