/**
 * Do tests notice mistakes? Changes the judge, the gate, the notes of Renovate, the reader of lists and the finder at one place after the
 * other, in a copy, and runs their tests: `npm run mutants -- [seed] [number] [folder]`. Ends with 1 where they notice fewer than 9 of 10.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
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

const [seed = 1, number = 50] = process.argv.slice(2, 4).map(Number);
const folder = process.argv[4] ?? 'src';
/** Files, and their tests. */
const rooms: Readonly<Record<string, string[]>> = {
  'src/judge/*.ts': ['test/judge', 'test/site/renovate'],
  'src/record/gate.ts': ['test/record/gate', 'test/record/laws'],
  'src/site/renovate/notes.ts': ['test/site/renovate'],
  'src/core/read-list.ts': ['test/core/read-list', 'test/serve/one-answer', 'test/cli/ask/scan'],
  'src/core/index/verdicts.ts': ['test/serve/scan', 'test/serve/tools', 'test/cli/ask/explain'],
  'src/core/index/extract.ts': ['test/core/index/extract'],
};
const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  operator?: string;
  value?: unknown;
  [key: string]: unknown;
}

/** What stands in place of a node; nothing where it is left alone. `read`: the text of one of its parts. */
function changeNode(node: SyntaxNode, read: (key: string) => string): string | undefined {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const operator = operators[node.operator!];
      return operator && `((${read('left')}) ${operator} (${read('right')}))`;
    }
    case 'UnaryExpression':
      return node.operator === '!' ? `(${read('argument')})` : undefined;
    case 'ConditionalExpression':
      return `(${read('test')} ? ${read('alternate')} : ${read('consequent')})`;
    case 'IfStatement':
      return `if (false) ${read('consequent')}`;
    case 'ExpressionStatement':
      return '';
    case 'NumericLiteral':
      return String(Number(node.value) + 1);
    case 'BooleanLiteral':
      return String(!node.value);
    case 'StringLiteral':
      return node.value === '' ? "'x'" : "''";
    case 'TemplateLiteral':
      return '``';
    case 'CallExpression':
      return /^([^]+)\.filter$/.exec(read('callee'))?.[1];
    default:
      return undefined;
  }
}

/** All but types, imports and keys, which are no code that runs. */
function* listNodes(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    for (const child of [value].flat() as (SyntaxNode | null)[]) {
      const type = key === 'key' ? undefined : child?.type;
      // `TSAsExpression` and `TSNonNullExpression` have code inside.
      if (typeof type === 'string' && !/^TS(?!As|NonNull)|^Import/.test(type)) {
        yield* listNodes(child!);
      }
    }
  }
}

async function listMutants(copy: string, path: string, tests: string[]) {
  const text = readFileSync(join(copy, path), 'utf8');
  const read = ({ start, end }: SyntaxNode) => text.slice(start, end);
  const { program } = (await parsers['babel-ts'].parse(text, {} as never)) as {
    program: SyntaxNode;
  };
  return [...listNodes(program)].flatMap((node) => {
    const after = changeNode(node, (key) => read(node[key] as SyntaxNode));
    if (after === undefined) {
      return [];
    }

    const before = text.slice(0, node.start);
    const change = `${read(node)} -> ${after}`;
    return {
      path,
      tests,
      text: before + after + text.slice(node.end),
      change: `${path}:${before.split('\n').length}: ${change}`,
      // By chance, and the same whatever else is in the file.
      order: hash('sha256', `${seed} ${path} ${before.slice(-80)} ${change}`),
    };
  });
}

function copyProgram(): string {
  const program = resolve(import.meta.dirname, '..');
  const target = mkdtempSync(join(tmpdir(), 'release-index-mutants-'));
  for (const path of ['package.json', 'tsconfig.json', 'src', 'test', 'site', '.ci']) {
    cpSync(join(program, path), join(target, path), { recursive: true });
  }
  symlinkSync(join(program, 'node_modules'), join(target, 'node_modules'));
  const compilerOptions = { incremental: true, tsBuildInfoFile: 'types.json' };
  const config = { extends: './tsconfig.json', compilerOptions, include: Object.keys(rooms) };
  writeFileSync(join(target, 'mutants.json'), JSON.stringify(config));
  return target;
}

const copy = copyProgram();
const run = (program: string, ...args: string[]) =>
  spawnSync(join(copy, 'node_modules/.bin', program), args, { cwd: copy }).status === 0;
const options = 'run --config test/vitest.config.ts --project main --bail 1'.split(' ');
const runTests = (tests: readonly string[]) => run('vitest', ...options, ...tests);
let tried = 0;
let noticed = 0;

try {
  if (!runTests(Object.values(rooms).flat())) {
    throw new Error('The tests fail without a change');
  }

  const files = Object.entries(rooms).flatMap(([pattern, tests]) =>
    globSync(pattern, { cwd: copy })
      .filter((path) => path.startsWith(folder))
      .map((path) => listMutants(copy, path, tests)),
  );
  const mutants = (await Promise.all(files)).flat().sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const { path, tests, text, change } of mutants) {
    if (tried === number) {
      break;
    }

    const sound = readFileSync(join(copy, path));
    writeFileSync(join(copy, path), text);
    // The compiler notices the others.
    if (run('tsc', '-p', 'mutants.json')) {
      const isNoticed = !runTests(tests);
      tried += 1;
      noticed += Number(isNoticed);
      console.log(isNoticed ? 'noticed  ' : 'UNNOTICED', change.replaceAll(/\s+/g, ' '));
    }
    writeFileSync(join(copy, path), sound);
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(`${noticed} of ${tried} changes noticed (seed ${seed})`);
process.exitCode = noticed >= 0.9 * tried ? 0 : 1;
