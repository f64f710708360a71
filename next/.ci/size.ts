import { globSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { parsers } from 'prettier/plugins/babel';

const checkout = resolve(import.meta.dirname, '..');

/** Characters of code that a room may have: without white space and comments. The limits are not raised; rooms may trade. */
const limits = {
  'src/core': 98_000,
  'src/sources': 84_000,
  'src/record': 47_000,
  'src/judge': 40_000,
  'src/site': 71_000,
  'src/serve': 77_000,
  'src/publish': 38_000,
  'src/cli': 62_000,
  site: 53_000,
  harness: 6_000,
  test: 570_000,
} as const;
type Room = keyof typeof limits;

/** Every file counts, whatever its ending, but for what is generated, pictures, statements and fixtures. */
const files: Readonly<Record<Room, string | string[]>> = {
  'src/core': 'src/core/**/*',
  'src/sources': 'src/sources/**/*',
  'src/record': 'src/record/**/*',
  'src/judge': 'src/judge/**/*',
  'src/site': 'src/site/**/*',
  'src/serve': 'src/serve/**/*',
  'src/publish': 'src/publish/**/*',
  'src/cli': ['src/cli.js', 'src/cli/**/*'],
  site: ['site/*', 'site/{templates,styles,snippets,starter,policies,servers,assets}/**/{*,.*}'],
  harness: ['.ci/*', '.github/actions/**/*'],
  test: 'test/**/*.{ts,js,mjs}',
};
const notCounted = /\.(?:png|svg)$|^test\/fixtures\/|^\.ci\/convert\.ts$/;

export interface RoomSize {
  room: Room;
  characters: number;
  limit: number;
}

export async function countRooms(): Promise<RoomSize[]> {
  const sizes: RoomSize[] = [];
  for (const [room, limit] of Object.entries(limits) as [Room, number][]) {
    let characters = 0;
    for (const file of globSync(files[room], { cwd: checkout, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.isFile() && !notCounted.test(path.slice(checkout.length + 1))) {
        characters += (await readCode(path)).replaceAll(/\s+/g, '').length;
      }
    }
    sizes.push({ room, characters, limit });
  }

  return sizes;
}

/** Without comments. */
async function readCode(path: string): Promise<string> {
  const text = readFileSync(path, 'utf8');
  switch (extname(path)) {
    case '.ts':
    case '.js':
    case '.mjs':
      return await stripScript(text);
    case '.css':
      return text.replaceAll(/\/\*[^]*?\*\//g, '');
    case '.hbs':
      return text.replaceAll(/\{\{!--[^]*?--\}\}|\{\{![^]*?\}\}/g, '');
    default:
      return text;
  }
}

async function stripScript(text: string): Promise<string> {
  // Takes a third of the time of the parser of TypeScript.
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
  const sizes = await countRooms();
  for (const { room, characters, limit } of sizes) {
    const isOver = characters > limit ? '  OVER' : '';
    console.log(
      `${String(characters).padStart(8)} of ${String(limit).padStart(7)}  ${room}${isOver}`,
    );
  }

  const product = sizes.filter(({ room }) => room.startsWith('src/') || room === 'site');
  const together = product.reduce((sum, { characters }) => sum + characters, 0);
  console.log(`${String(together).padStart(8)} of  570000  src and site together`);
  process.exitCode = sizes.some(({ characters, limit }) => characters > limit) ? 1 : 0;
}
