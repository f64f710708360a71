/**
 * What README shows of first pages is what the pages say: its block of an index of one's own, run with the registry of npm; its index of
 * real products; and its pictures. `DRAW=1 npm run test:all -- test/readme` draws the pictures and the output anew; beside each picture lie the words in it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { browserTest as test, openPage } from './harness/browser.ts';
import { program } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';
import { serveSite } from './harness/serve-site.ts';
import { buildExample } from './harness/site.ts';

// Packages of npm's registry are installed, as quickly as it sends them.
vi.setConfig({ testTimeout: 900_000 });

const readme = readFileSync(join(program, 'README.md'), 'utf8');
const images = join(program, '.github/images');
const mayDraw = process.env['DRAW'] !== undefined;
const width = 1100;
const height = 1040;

/** As on a machine where nobody worked on the program: its own Node comes with it. */
const env = {
  ...process.env,
  PATH: process.env['PATH']!.split(':')
    .filter((path) => !path.includes('node_modules'))
    .join(':'),
  NO_COLOR: '1',
};

/** Returns the block below a heading, in a language. */
function readBlock(heading: string, language: string): string {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(section)![1]!;
}

/** Runs a server until `see` has used its address. Returns what it prints, without its progress. */
async function serve<T>(line: string, cwd: string, see: (url: string) => Promise<T>) {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn('bash', ['-c', `exec ${line}`], { cwd, env, stdio, detached: true });
  let printed = '';
  try {
    const url = await new Promise<string>((found, failed) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [address] = /http:\S+\//.exec(printed) ?? [];
        if (address) {
          found(address);
        }
      });
      child.on('close', (status) => failed(new Error(`${line} ended with ${status}: ${printed}`)));
    });
    await see(url);
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
  }
  return printed;
}

/** The lines of text that a person sees at the top of a page, down to a height. */
const listSeen = (lowest: number) => `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNode(walker.currentNode);
    const { top, bottom, width } = range.getBoundingClientRect();
    const text = walker.currentNode.data.trim();
    if (text && width > 1 && top >= 0 && bottom < ${lowest} && walker.currentNode.parentElement.checkVisibility()) {
      seen.push(text.replaceAll(/\\s+/g, ' '));
    }
  }
  return seen;
})()`;

/** Compares a picture of README with the page, or draws it. `simplify`: leaves out of a line what differs from day to day. */
async function see(name: string, url: string, simplify = (line: string) => line): Promise<void> {
  const words = join(images, `${name}.txt`);
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openPage({ width, scheme });
    await page.setViewportSize({ width, height });
    await page.goto(url, { waitUntil: 'networkidle' });
    if (mayDraw) {
      await page.screenshot({ path: join(images, `${name}-${scheme}.png`) });
      const seen = await page.evaluate<string[]>(listSeen(height));
      writeFileSync(words, `${seen.join('\n')}\n`);
    }

    const drawn = readFileSync(words, 'utf8').trim().split('\n').map(simplify);
    const all = await page.evaluate<string[]>(listSeen(1e6));
    expect(all.map(simplify)).toEqual(expect.arrayContaining(drawn));
    // With other fonts, the last lines of the picture are further down.
    const top = await page.evaluate<string[]>(listSeen(height * 0.75));
    expect(drawn).toEqual(expect.arrayContaining(top.map(simplify)));
    await page.context().close();
  }
  for (const scheme of ['light', 'dark']) {
    expect(readme).toContain(`.github/images/${name}-${scheme}.png`);
  }
}

test('the picture of the example shows what its first page says', async () => {
  const { url } = await serveSite(buildExample());

  await see('index', url);
});

test('the block of an index of one’s own prints what README says, and its first page is that of the picture', async () => {
  const folder = createFolder();
  const lines = readBlock('An index of your own', 'sh')
    .replaceAll('../my-index', join(folder, 'my-index'))
    .replaceAll(/ +#.*/g, '')
    .trim()
    .split('\n');
  // Versions, lines and days differ from day to day.
  const simplify = (text: string) =>
    text.replaceAll(/\d[\d.]*(?:, \d[\d.]*)*/g, 'N').replaceAll(/ +/g, ' ');
  const preview = lines.pop()!;
  const [, index = ''] = / init (\S+)/.exec(lines[0]!)!;

  let printed = '';
  for (const line of lines) {
    const cwd = line.includes(' init ') ? program : index;
    const text = execFileSync('bash', ['-c', line], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
    printed += /npx release-index (?:add|start)/.test(line) ? text : '';
  }
  const output = readBlock('An index of your own', 'text');
  if (mayDraw) {
    writeFileSync(join(program, 'README.md'), readme.replace(output, printed));
  }
  // If a network reaches OSV, no source is silent.
  const isSilent = printed.includes('did not answer');
  const listLines = (text: string) =>
    simplify(text)
      .split('\n')
      .filter((line) => isSilent || !/^(?:Asked|host|api\.|Their)/.test(line));
  expect(listLines(printed)).toEqual(listLines(mayDraw ? printed : output));

  await serve(`${preview} --port 0`, index, (url) => see('own', url, simplify));
});

test('npm run world gathers real products and serves the page of the picture', async () => {
  const printed = await serve('npm run world -- --port 0', program, (url) => see('world', url));

  const [, products = ''] = /Built .*: (\d+) components /.exec(printed)!;
  expect(readme).toContain(`${products} real products`);
  expect(printed).toContain('all answered');
});
