import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from './checkout.ts';
import { writeIn } from './root.ts';

export interface TestRoot {
  dir: string;
  out: string;
  write(path: string, content: string | object): void;
  read(path: string): string;
  /** Changes some keys of `site/site.json`. */
  configure(changes: object): void;
  remove(): void;
}

/** A root of its own in a temporary folder, with the checkout's `site/` and nothing else. */
export function createRoot(config: object = {}): TestRoot {
  const dir = mkdtempSync(join(tmpdir(), 'root-'));
  cpSync(join(checkout, 'site'), join(dir, 'site'), { recursive: true });
  mkdirSync(join(dir, 'components'));
  const root: TestRoot = {
    dir,
    out: join(dir, 'dist'),
    write: (path, content) => writeIn(dir, path, content),
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    configure(changes) {
      root.write('site/site.json', { ...(JSON.parse(root.read('site/site.json')) as object), ...changes });
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
  root.configure(config);
  return root;
}

/** A definition that asks nobody, with what is recorded for it. */
export function addComponent(root: TestRoot, name: string, releases: object[], more: object = {}): void {
  root.write(`components/${name}.json`, {
    title: `The ${name}`,
    homepage: `https://example.com/${name}`,
    changelogUrl: `https://example.com/${name}/changes`,
    sources: [],
    ...more,
  });
  root.write(`data/${name}.json`, { releases });
}
