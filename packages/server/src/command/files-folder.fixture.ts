import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of files for the tests of one file. */
export class FilesFolder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'files-'));
  #count = 0;

  /** A new file with a text. */
  readonly file = (text: string): string => {
    const path = join(this.path, `${++this.#count}`);
    writeFileSync(path, text);
    return path;
  };

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
