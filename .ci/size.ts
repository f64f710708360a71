/** Reports how many tokens of code each module has. A name or a string is one token. Comments and templates do not count. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import jsTokens from 'js-tokens';

const checkout = resolve(import.meta.dirname, '..');

const modules = [
  'src/core',
  'src/ask',
  'src/sources',
  'src/record',
  'src/judge',
  'src/site',
  'src/serve',
  'src/publish',
  'src/cli',
  '.ci',
  'test',
];

function countTokens(path: string): number {
  const tokens = Array.from(jsTokens(readFileSync(join(checkout, path), 'utf8')));
  return tokens.filter(({ type }) => !/^(?:WhiteSpace|LineTerminator|.*Comment)/.test(type)).length;
}

const sizes = modules.map((module) => {
  const files = globSync([`${module}.js`, `${module}/**/*.{ts,js,mjs}`], { cwd: checkout });
  const code = files.filter((path) => !path.replaceAll('\\', '/').startsWith('test/fixtures/'));
  return {
    module,
    files: code.length,
    tokens: code.reduce((sum, path) => sum + countTokens(path), 0),
  };
});

console.table(sizes);
const product = sizes.filter(({ module }) => module.startsWith('src/'));
console.log(`src: ${product.reduce((sum, { tokens }) => sum + tokens, 0)} tokens`);
console.log(`test: ${sizes.find(({ module }) => module === 'test')!.tokens} tokens`);
