/** Prints the characters of code of each room beside its limit, without white space and comments. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parsers } from 'prettier/plugins/babel';

const checkout = resolve(import.meta.dirname, '..');

/** Rooms may trade. */
const limits: Readonly<Record<string, number>> = {
  'src/core': 103_644,
  'src/sources': 85_915,
  'src/record': 46_746,
  'src/judge': 39_391,
  'src/site': 76_092,
  'src/serve': 73_686,
  'src/publish': 35_704,
  'src/cli': 61_428,
  site: 48_394,
  '.ci': 7_400,
  test: 575_000,
};
const folders = [...Object.keys(limits), 'src/cli.js'];
const isCode = /\.m?[jt]s$/;

/** Not what is generated, pictures, statements and fixtures; of the tests, only code. */
function isCounted(path: string): boolean {
  return (
    !/\.(?:png|svg)$/.test(path) &&
    !/^(?:site\/(?:schema|statements)|test\/fixtures)\//.test(path) &&
    (isCode.test(path) || !path.startsWith('test/'))
  );
}

/** By room. */
export async function countRooms() {
  const sizes = new Map<string, number>();
  for (const folder of folders) {
    const room = folder.replace('.js', '');
    const patterns = [folder, `${folder}/**/*`, `${folder}/**/.*`];
    for (const entry of globSync(patterns, { cwd: checkout, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && isCounted(path.slice(checkout.length + 1))) {
        const code = await readCode(path);
        sizes.set(room, (sizes.get(room) ?? 0) + code.replaceAll(/\s+/g, '').length);
      }
    }
  }

  return [...sizes].map(([room, size]) => ({ room, size, limit: limits[room]! }));
}

async function readCode(path: string): Promise<string> {
  const text = readFileSync(path, 'utf8');
  if (!isCode.test(path)) {
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
  const product = rooms.filter(({ room }) => /^s(?:rc|ite)/.test(room));
  const sum = (key: 'size' | 'limit') => product.reduce((total, room) => total + room[key], 0);
  console.log(`src and site: ${sum('size')} of ${sum('limit')}`);
  process.exitCode = rooms.some(({ size, limit }) => size > limit) ? 1 : 0;
}
