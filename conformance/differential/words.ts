/** Domains of Kubernetes that are one domain in the other vocabulary. */
const DOMAIN = /\b(?:x-k8s|k8s|kubernetes)\.io\b/g;
const ONE_DOMAIN = /\borch\.io\b/g;
/** Names that nobody has seen are mostly those of groups. */
const GROUP_DOMAIN = 'k8s.io';
const ENDS_BEFORE = /[\w.-]*$/;
const GOES_ON = /^(?:(?:\/|~1)[\w.-]+)?/;

/** How much text around a domain may belong to its name: names are limited. */
const LONGEST_NAME = 320;

/**
 * Translates texts between the vocabularies. The way back is ambiguous: several domains of Kubernetes become one. Names whose original was
 * seen get it back (`orch.io/metadata.name` is `kubernetes.io/metadata.name`), others get the domain of groups.
 */
export class Words {
  readonly #toOrch: (text: string) => string;
  /** Domains in the originals of names, by the translated name. */
  readonly #originals: Map<string, string> = new Map();

  /** @param toOrch translates the words of Kubernetes, as in recorded exchanges */
  constructor(toOrch: (text: string) => string) {
    this.#toOrch = toOrch;
  }

  /** Remembers the names of a text of Kubernetes. */
  learn(text: string): void {
    for (const match of text.matchAll(DOMAIN)) {
      const name = nameAround(text, match.index, match[0].length);
      const translated = this.#toOrch(name);
      // the first one stays: what recordings have is more common than what a question makes up
      if (!this.#originals.has(translated)) this.#originals.set(translated, match[0]);
    }
  }

  toOrch(text: string): string {
    this.learn(text);
    return this.#toOrch(text);
  }

  toKubernetes(text: string): string {
    return (
      text
        .replace(
          ONE_DOMAIN,
          (domain, at: number, all: string) =>
            this.#originals.get(nameAround(all, at, domain.length)) ?? GROUP_DOMAIN,
        )
        .replaceAll('vnd.orch.', 'vnd.kubernetes.')
        .replaceAll('x-orch-', 'x-kubernetes-')
        .replace(/\borchctl(?=[-."/])/g, 'kubectl')
        .replace(/\bio\.orch\b/g, 'io.k8s')
        .replace(
          /\borch-(?=system|public|node-lease|root-ca|apiserver|scheduler|controller-manager|proxy|dns)/g,
          'kube-',
        )
        // as a string of its own: in JSON, in a document that is quoted in another, and in YAML
        .replace(/(?<=")orch(?=\\*")/g, 'kubernetes')
        .replace(/^( *(?:- |[\w.]+: ))orch$/gm, '$1kubernetes')
    );
  }
}

/** The qualified name of which a domain is a part: what is before it, and one name behind a slash. */
function nameAround(text: string, at: number, length: number): string {
  const before = ENDS_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0] ?? '';
  const end = at + length;
  const behind = GOES_ON.exec(text.slice(end, end + LONGEST_NAME))?.[0] ?? '';
  return before + text.slice(at, end) + behind.replace('~1', '/');
}
