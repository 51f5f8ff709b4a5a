import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { dns1123SubdomainErrors } from '@ashlar/core';
import type { ListenTls, NamedCertificate } from './listen-options.ts';

/** Returns the TLS context for a name that a client asks for; undefined for that of the main certificate. */
export type ContextOfName = (serverName: string) => SecureContext | undefined;

/** Returns the options of the TLS context that serves a certificate. */
type ContextOptions = (tls: ListenTls) => Parameters<typeof createSecureContext>[0];

/** The contexts of named certificates, which can be replaced. */
export class NamedContexts {
  readonly #optionsOf: ContextOptions;
  #current: ContextOfName;

  /** @throws Error of OpenSSL if a certificate and its key are invalid or do not match */
  constructor(tls: ListenTls, optionsOf: ContextOptions) {
    this.#optionsOf = optionsOf;
    this.#current = contextsByName(tls, optionsOf);
  }

  readonly ofName: ContextOfName = (name) => this.#current(name);

  /** Returns what begins to use other certificates. @throws Error of OpenSSL */
  prepared(tls: ListenTls): () => void {
    const next = contextsByName(tls, this.#optionsOf);
    return () => {
      this.#current = next;
    };
  }
}

/**
 * Returns what selects among the named certificates: one that is named so, then one for all names beside it (`*.example.org`), then the
 * main one, unless it is for other names and one of the others is for this one. Of several the first counts; names that are given precede
 * those within certificates.
 * @throws Error of OpenSSL if a certificate and its key are invalid or do not match
 */
function contextsByName(tls: ListenTls, optionsOf: ContextOptions): ContextOfName {
  const main = new X509Certificate(tls.certificate);
  const members = (tls.named ?? []).map((named) => memberOf(named, tls, optionsOf));
  const byName = namesOf(members);
  return (serverName) => {
    const name = serverName.toLowerCase();
    const found = byName.get(name) ?? byName.get(wildcardOf(name));
    if (found) return found.context;
    if (name === '' || isFor(name, main)) return undefined;
    return members.find(({ certificate }) => isFor(name, certificate))?.context;
  };
}

const isFor = (name: string, certificate: X509Certificate): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;

interface Member {
  readonly certificate: X509Certificate;
  readonly names: readonly string[];
  readonly context: SecureContext;
}

function memberOf(
  { certificate, key, names = [] }: NamedCertificate,
  tls: ListenTls,
  optionsOf: ContextOptions,
): Member {
  const context = createSecureContext(optionsOf({ ...tls, certificate, key }));
  return { certificate: new X509Certificate(certificate), names, context };
}

function namesOf(members: readonly Member[]): ReadonlyMap<string, Member> {
  const byName = new Map<string, Member>();
  const add = (name: string, member: Member): void => {
    if (!byName.has(name)) byName.set(name, member);
  };
  for (const member of members) for (const name of member.names) add(name, member);
  for (const member of members)
    if (member.names.length === 0) for (const name of namesWithin(member.certificate)) add(name, member);
  return byName;
}

const wildcardOf = (name: string): string => ['*', ...name.split('.').slice(1)].join('.');

/** Clients ask for no addresses: those of a certificate are no names. */
function namesWithin(certificate: X509Certificate): readonly string[] {
  const { CN } = certificate.toLegacyObject().subject;
  const common = [CN ?? []].flat().at(-1);
  const alternatives = (certificate.subjectAltName ?? '').split(', ');
  return [
    ...(common !== undefined && isDomain(common) ? [common] : []),
    ...alternatives.filter((each) => each.startsWith(DNS)).map((each) => each.slice(DNS.length)),
  ];
}

const DNS = 'DNS:';

const isDomain = (name: string): boolean =>
  isIP(name) === 0 && (name === '*' || dns1123SubdomainErrors(name.replace(/^\*\./, '')).length === 0);
