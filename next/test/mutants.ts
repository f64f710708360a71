/**
 * Do tests notice mistakes? Changes the judge, the gate and the notes of Renovate at one place after the other, in a copy, and runs their
 * tests: `npm run mutants -- [seed] [number]`. Ends with 1 where they notice fewer than 9 of 10.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parsers } from 'prettier/plugins/babel';

const program = resolve(import.meta.dirname, '..');
const goal = 0.9;
/** The files, and the tests of each. */
const rooms: [files: string, tests: string[]][] = [
  ['src/judge/*.ts', ['test/judge', 'test/site/renovate']],
  ['src/record/gate.ts', ['test/record/gate', 'test/record/laws']],
  ['src/site/renovate/notes.ts', ['test/site/renovate']],
];
const operators: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '&&': '||', '||': '&&', '??': '&&' },
};
const names: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Mutant {
  path: string;
  /** The changed text of the file. */
  text: string;
  change: string;
  tests: string[];
}

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === 'string';
}

/** What stands in place of a node; nothing where it is left alone. */
function changeNode(node: Node, read: (node: Node) => string): string | undefined {
  const part = (key: string) => read(node[key] as Node);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const operator = operators[node['operator'] as string];
      return operator && `((${part('left')}) ${operator} (${part('right')}))`;
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? `(${part('argument')})` : undefined;
    case 'ConditionalExpression':
      return `(${part('test')} ? ${part('alternate')} : ${part('consequent')})`;
    case 'IfStatement':
      return `if (false) ${part('consequent')}`;
    case 'ExpressionStatement':
      return '';
    case 'NumericLiteral':
      return String(Number(node['value']) + 1);
    case 'BooleanLiteral':
      return String(node['value'] !== true);
    case 'StringLiteral':
      return node['value'] === '' ? "'x'" : "''";
    case 'TemplateLiteral':
      return '``';
    case 'CallExpression': {
      const callee = node['callee'] as Node;
      const isFilter = isNode(callee['property']) && callee['property']['name'] === 'filter';
      return isFilter ? read(callee['object'] as Node) : undefined;
    }
    case 'Identifier':
      return names[node['name'] as string];
    default:
      return undefined;
  }
}

/** Types and imports are no code that runs. */
const left = /^TS(?!As|NonNull|Satisfies)|^ImportDeclaration$/;

function* listNodes(node: Node): Generator<Node> {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    const children = (Array.isArray(value) ? value : [value]).filter(isNode);
    for (const child of key === 'key' ? [] : children) {
      if (!left.test(child.type)) {
        yield* listNodes(child);
      }
    }
  }
}

async function listMutants(path: string, tests: string[]): Promise<Mutant[]> {
  const text = readFileSync(join(program, path), 'utf8');
  const read = ({ start, end }: Node) => text.slice(start, end);
  const { program: tree } = (await parsers['babel-ts'].parse(text, {} as never)) as {
    program: Node;
  };
  return [...listNodes(tree)].flatMap((node) => {
    const after = changeNode(node, read);
    const line = text.slice(0, node.start).split('\n').length;
    return after === undefined
      ? []
      : {
          path,
          text: text.slice(0, node.start) + after + text.slice(node.end),
          change: `${path}:${line}: ${read(node)} -> ${after}`.replaceAll(/\s+/g, ' '),
          tests,
        };
  });
}

/** A number below 1 for a seed and a place, evenly spread. */
function draw(seed: number, place: number): number {
  const mixed = Math.imul(seed * 7919 + place, 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

function copyProgram(): string {
  const copy = mkdtempSync(join(tmpdir(), 'release-index-mutants-'));
  for (const path of ['package.json', 'tsconfig.json', 'src', 'test', 'site', '.ci']) {
    cpSync(join(program, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(program, 'node_modules'), join(copy, 'node_modules'));
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: true, tsBuildInfoFile: 'types.json' },
    include: rooms.map(([files]) => files),
  };
  writeFileSync(join(copy, 'mutants.json'), JSON.stringify(config));
  return copy;
}

const [seed = 1, number = 50] = process.argv.slice(2).map(Number);
const all: Mutant[] = [];
for (const [files, tests] of rooms) {
  for (const path of globSync(files, { cwd: program }).sort()) {
    all.push(...(await listMutants(path, tests)));
  }
}
const order = all.map((mutant, place) => ({ mutant, at: draw(seed, place) }));
const copy = copyProgram();
const run = (command: string, args: string[]) =>
  spawnSync(join(program, 'node_modules/.bin', command), args, { cwd: copy }).status === 0;
const test = ['run', '--config', 'test/vitest.config.ts', '--project', 'main', '--bail', '1'];
let [tried, noticed] = [0, 0];

try {
  for (const { mutant } of order.sort((a, b) => a.at - b.at)) {
    const { path, text, change, tests } = mutant;
    if (tried === number) {
      break;
    }

    writeFileSync(join(copy, path), text);
    // The compiler notices the others.
    if (run('tsc', ['-p', 'mutants.json'])) {
      const isNoticed = !run('vitest', [...test, ...tests]);
      tried += 1;
      noticed += Number(isNoticed);
      console.log(`${isNoticed ? 'noticed  ' : 'UNNOTICED'} ${change}`);
    }
    cpSync(join(program, path), join(copy, path));
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(`${noticed} of ${tried} changes noticed (seed ${seed}, of ${all.length} places)`);
process.exitCode = noticed >= goal * tried ? 0 : 1;
