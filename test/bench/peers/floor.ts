// The least that any program does that makes a site of this size from this input: parse all of it, put strings together, a row for
// each release as often as it is published, and write as many files with as many bytes. It orders, decides, escapes and
// digests nothing.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [root, out, sizesFile] = process.argv.slice(2) as [string, string, string];
const sizes = JSON.parse(readFileSync(sizesFile, 'utf8')) as Record<string, [path: string, size: number][]>;

rmSync(out, { recursive: true, force: true });
const folders = new Set<string>();
for (const file of readdirSync(join(root, 'components'))) {
  const definition = readJson(join(root, 'components', file)) as Record<string, string>;
  const { releases } = readJson(join(root, 'data', file)) as { releases: Record<string, string>[] };
  readJson(join(root, 'data/freshness', file));
  writeAll(file, (place) => {
    const { version, releaseTimestamp } = releases[place % releases.length] ?? definition;
    return `<tr><th scope="row">${version}</th><td><time>${releaseTimestamp}</time></td></tr>\n`;
  });
}
writeAll(
  '',
  (place) => `a line of a document about all components: the ${place}th of them, with a few words more\n`,
);

function writeAll(component: string, row: (place: number) => string): void {
  for (const [path, size] of sizes[component] ?? []) {
    const target = join(out, path);
    if (!folders.has(dirname(target))) {
      mkdirSync(dirname(target), { recursive: true });
      folders.add(dirname(target));
    }
    let text = '';
    for (let place = 0; text.length < size; place += 1) text += row(place);
    writeFileSync(target, text.slice(0, size));
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
