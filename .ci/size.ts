/** Prints the characters of code of each room beside its limit, without white space and comments. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parsers } from 'prettier/plugins/babel';

const checkout = resolve(import.meta.dirname, '..');

/** Together 572,200 for `src` and `site`. Rooms may trade. */
const limits: Readonly<Record<string, number>> = {
  'src/core': 103_400,
  'src/sources': 85_850,
  'src/record': 46_700,
  'src/judge': 39_330,
  'src/site': 76_500,
  'src/serve': 74_130,
  'src/publish': 35_900,
  'src/cli': 61_680,
  site: 48_660,
  '.ci': 7_400,
  test: 575_000,
};
const folders = [...Object.keys(limits), 'src/cli.js'];
const elsewhere: Readonly<Record<string, string>> = {
  'src/cli.js': 'src/cli',
};

/** What is generated, pictures, statements and fixtures; of the tests, all but code. */
const notCounted =
  /\.(?:png|svg)$|^site\/(?:schema|statements)\/|^test\/(?:fixtures\/|.*(?<!\.m?[jt]s)$)/;

/** By room. */
export async function countRooms() {
  const sizes = new Map<string, number>();
  for (const folder of folders) {
    const room = elsewhere[folder] ?? folder;
    const patterns = [folder, `${folder}/**/*`, `${folder}/**/.*`];
    for (const entry of globSync(patterns, { cwd: checkout, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !notCounted.test(path.slice(checkout.length + 1))) {
        const code = await readCode(path);
        sizes.set(room, (sizes.get(room) ?? 0) + code.replaceAll(/\s+/g, '').length);
      }
    }
  }

  return [...sizes].map(([room, size]) => ({ room, size, limit: limits[room]! }));
}

async function readCode(path: string): Promise<string> {
  const text = readFileSync(path, 'utf8');
  if (!/\.m?[jt]s$/.test(path)) {
    return text.replaceAll(/\/\*[^]*?\*\/|\{\{!--[^]*?--\}\}|\{\{![^]*?\}\}/g, '');
  }

  const { comments } = await parsers['babel-ts'].parse(text, {} as never);
  let code = '';
  let end = 0;
  for (const comment of comments as { start: number; end: number }[]) {
    code += text.slice(end, comment.start);
    end = comment.end;
  }
  return code + text.slice(end);
}

if (import.meta.main) {
  const rooms = await countRooms();
  console.table(rooms);
  const product = rooms.filter(({ room }) => room.startsWith('s')).map(({ size }) => size);
  console.log(`src and site: ${product.reduce((sum, size) => sum + size)} of 572200`);
  process.exitCode = rooms.some(({ size, limit }) => size > limit) ? 1 : 0;
}
