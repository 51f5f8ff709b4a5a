import { readFileSync } from 'node:fs';
import type { Authenticator } from '@ashlar/core';
import type { ServeFlags } from '../../flags/serve-flags.ts';
import { readTextFile } from '../../read-text-file.ts';
import { watchFiles } from '../../watch-files.ts';
import { certificatesIn } from './certificates-in.ts';

const FLAGS = ['client-ca-file', 'requestheader-client-ca-file'] as const;

/** A flag with CAs of client certificates: of users, or of proxies. */
export type AuthorityFlag = (typeof FLAGS)[number];

interface Authorities {
  readonly text: string;
  readonly certificates: readonly Uint8Array[];
}

/** The CAs of client certificates, as their files are now. */
export class ClientAuthorities {
  readonly #files: ReadonlyMap<AuthorityFlag, string>;
  readonly #current: Map<AuthorityFlag, Authorities>;
  readonly #report: (text: string) => void;

  /** @throws UsageError if a file cannot be read, or contains no certificate or an invalid one */
  constructor(flags: ServeFlags, report: (text: string) => void) {
    this.#report = report;
    const given = FLAGS.map((flag) => [flag, flags[flag]] as const);
    this.#files = new Map(given.filter((pair): pair is [AuthorityFlag, string] => pair[1] !== undefined));
    this.#current = new Map(
      [...this.#files].map(([flag, file]) => [flag, parsed(flag, file, readTextFile(flag, file))]),
    );
  }

  /** The CAs of all flags, PEM; undefined without the flags. The authenticators distinguish them. */
  get text(): string | undefined {
    const texts = [...this.#current.values()].map(({ text }) => text);
    return texts.length === 0 ? undefined : texts.join('\n');
  }

  /** The CAs of a flag, PEM; undefined without the flag. */
  textOf(flag: AuthorityFlag): string | undefined {
    return this.#current.get(flag)?.text;
  }

  /**
   * Returns an authenticator that accepts certificates of the CAs of a flag, also on connections that were opened before these changed;
   * undefined without the flag.
   * @param make creates one over CAs, in DER
   */
  authenticator(
    flag: AuthorityFlag,
    make: (certificates: readonly Uint8Array[]) => Authenticator,
  ): Authenticator | undefined {
    let known = this.#current.get(flag);
    if (!known) return undefined;
    let inner = make(known.certificates);
    return {
      authenticate: (request) => {
        const now = this.#current.get(flag);
        if (now && now !== known) {
          known = now;
          inner = make(now.certificates);
        }
        return inner.authenticate(request);
      },
    };
  }

  /** Reads the files again when they change; a file that cannot be used keeps its current CAs. */
  follow(changed: () => void): Disposable {
    return watchFiles([...this.#files.values()], () => {
      for (const [flag, file] of this.#files) this.#reread(flag, file, changed);
    });
  }

  #reread(flag: AuthorityFlag, file: string, changed: () => void): void {
    const before = this.#current.get(flag);
    try {
      const next = parsed(flag, file, readFileSync(file, 'utf8'));
      if (next.text === before?.text) return;
      this.#current.set(flag, next);
      changed();
    } catch (error) {
      if (before) this.#current.set(flag, before);
      this.#report(`ashlar: the CAs were not reloaded: ${(error as Error).message}\n`);
    }
  }
}

/** @throws UsageError */
const parsed = (flag: AuthorityFlag, file: string, text: string): Authorities => ({
  text,
  certificates: certificatesIn(flag, file, text),
});
