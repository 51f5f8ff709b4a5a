/** What is outside of the API server: who has which domain. */
export interface Domains {
  /** Gives a domain to an owner who does not have it yet. Returns its owner, who may be another. */
  claim(domain: string, owner: string): Promise<string>;
  /** Takes a domain from its owner; nothing happens if another one has it. */
  release(domain: string, owner: string): Promise<void>;
}

/** A registrar that lives in memory, and may be out of order. */
export class MemoryDomains implements Domains {
  readonly owners: Map<string, string> = new Map();
  isDown = false;

  async claim(domain: string, owner: string): Promise<string> {
    this.#check();
    const first = this.owners.get(domain) ?? owner;
    this.owners.set(domain, first);
    return first;
  }

  async release(domain: string, owner: string): Promise<void> {
    this.#check();
    if (this.owners.get(domain) === owner) this.owners.delete(domain);
  }

  #check(): void {
    if (this.isDown) throw new Error('the registrar is down');
  }
}
