/** Prints the characters of code of each room, without white space and comments: a report, no aim. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parsers } from 'prettier/plugins/babel';

const checkout = resolve(import.meta.dirname, '..');

const rooms = [
  'src/core',
  'src/sources',
  'src/record',
  'src/judge',
  'src/site',
  'src/serve',
  'src/publish',
  'src/cli',
  'site',
  '.ci',
  'test',
];
const isCode = /\.m?[jt]s$/;

/** Not what is generated, pictures, statements and fixtures; of the tests, only code. */
function isCounted(path: string): boolean {
  return (
    !/\.(?:png|svg)$/.test(path) &&
    !/^(?:site\/(?:schema|statements)|test\/fixtures)\//.test(path) &&
    (isCode.test(path) || !path.startsWith('test/'))
  );
}

/** The characters of code by room. */
async function countRooms(): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const room of rooms) {
    // With a file beside the folder: src/cli.js.
    const patterns = [`${room}.js`, `${room}/**/*`, `${room}/**/.*`];
    for (const entry of globSync(patterns, { cwd: checkout, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && isCounted(path.slice(checkout.length + 1))) {
        const code = await readCode(path);
        sizes.set(room, (sizes.get(room) ?? 0) + code.replaceAll(/\s+/g, '').length);
      }
    }
  }

  return sizes;
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

const sizes = await countRooms();
const product = [...sizes].filter(([room]) => /^(?:src|site)(?:\/|$)/.test(room));
console.table(Object.fromEntries(sizes));
console.log(`src and site: ${product.reduce((sum, [, size]) => sum + size, 0)}`);
console.log(`tests: ${sizes.get('test')}`);
