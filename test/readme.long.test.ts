/**
 * Checks that the pictures and the printed output in README match the program. A text file next to each picture has the words in it. The
 * commands under "An index of your own" read the npm registry.
 *
 * To draw the pictures again, and to update the output: `DRAW=1 npm run test:all -- test/readme`
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { browserTest as test, openPage } from './harness/browser.ts';
import { exampleDay, program } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';
import { listen } from './harness/listen.ts';
import { serveSite } from './harness/serve-site.ts';
import { buildExample } from './harness/site.ts';
import { serveAnswers } from './harness/upstream.ts';
import { runRenovate } from './renovate/client.ts';
import { renovateFolder } from './renovate/install.ts';
import { serveSite as serveExample, writeComment } from './renovate/site.ts';
import { writePullRequests } from './renovate/steps.ts';

// The time limit is long, because packages are installed from the npm registry.
vi.setConfig({ testTimeout: 900_000 });

const run = promisify(execFile);
const readme = readFileSync(join(program, 'README.md'), 'utf8');
const images = join(program, '.github/images');
const mayDraw = process.env['DRAW'] !== undefined;
const width = 1100;

/**
 * The environment of a user. npm adds the checkout's `node_modules/.bin` to PATH, and this folder contains another Node. Without this
 * folder, commands find the user's own Node.
 */
const env = {
  ...process.env,
  PATH: process.env['PATH']!.split(':')
    .filter((path) => !path.includes('node_modules'))
    .join(':'),
  NO_COLOR: '1',
};

/**
 * Serves the npm packages of the fixture with their real release dates, because a mirror of the npm registry may lack the dates. Versions
 * that are not in the fixture are left out, so that the picture stays the same.
 */
async function serveDatedPackages(): Promise<string> {
  const path = join(program, 'test/fixtures/npm-days.json');
  const days = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>;
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { env, encoding: 'utf8' });
  const read = async (name: string) => {
    const response = await fetch(new URL(name, registry.trim()));
    const listed = (await response.json()) as { versions: Record<string, object> };
    const time = { created: '2009-09-29', ...days[name] };
    const versions = Object.entries(listed.versions).filter(([version]) => version in time);
    return [`/${name}`, { ...listed, time, versions: Object.fromEntries(versions) }] as const;
  };
  return serveAnswers(Object.fromEntries(await Promise.all(Object.keys(days).map(read))));
}

/** Returns the first code block of this language below a heading of README. */
function readBlock(heading: string, language: string): string {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(section)![1]!;
}

/** Runs a server until `see` has used its address. Returns everything that it printed to standard output. */
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

/** JavaScript that lists the visible texts of a page, from its top down to a height in pixels. */
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

interface Picture {
  height?: number;
  /** The date in the browser. If it is absent, the browser has the machine's date. */
  day?: string;
}

/** Compares a picture of README with the page. With `DRAW`, draws the picture first. */
async function see(name: string, url: string, { height = 1040, day }: Picture = {}): Promise<void> {
  const words = join(images, `${name}.txt`);
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openPage({ width, scheme });
    await page.setViewportSize({ width, height });
    if (day !== undefined) {
      await page.clock.setFixedTime(day);
    }
    await page.goto(url, { waitUntil: 'networkidle' });
    if (mayDraw) {
      await page.screenshot({ path: join(images, `${name}-${scheme}.png`) });
      const seen = await page.evaluate<string[]>(listSeen(height));
      writeFileSync(words, `${seen.join('\n')}\n`);
    }

    const drawn = readFileSync(words, 'utf8').trim().split('\n');
    const all = await page.evaluate<string[]>(listSeen(1e6));
    expect(all).toEqual(expect.arrayContaining(drawn));
    // With other fonts, the last lines of the picture are further down. So only the upper three quarters are compared.
    const top = await page.evaluate<string[]>(listSeen(height * 0.75));
    expect(drawn).toEqual(expect.arrayContaining(top));
    await page.context().close();
  }
  for (const scheme of ['light', 'dark']) {
    expect(readme).toContain(`.github/images/${name}-${scheme}.png`);
  }
}

test('the picture of the example in README shows the home page of the example', async () => {
  const { url } = await serveSite(buildExample());

  await see('index', url, { day: exampleDay });
});

/** Renders a pull request with its title, labels and text, similar to GitHub. */
function renderPullRequest(title: string, labels: readonly string[], body: string): string {
  return `<!doctype html><meta name="color-scheme" content="light dark"><style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; color: light-dark(#1f2328, #f0f6fc); background: light-dark(#fff, #0d1117) }
h1 { font-size: 24px; font-weight: 400; margin: 0 0 16px } h1 span, header span { color: light-dark(#59636e, #9198a1) }
article, header, th, td { border: 1px solid light-dark(#d1d9e0, #3d444d) } article { border-radius: 6px } div { padding: 8px 16px }
header { display: flex; padding: 8px 16px; border-width: 0 0 1px; background: light-dark(#f6f8fa, #151b23) } b.label { margin-left: auto }
b.label { border: 1px solid; border-radius: 2em; padding: 0 12px; font: 12px/22px system-ui, sans-serif; color: light-dark(#b3001e, #ff8f9f) }
table { border-collapse: collapse } th, td { padding: 5px 13px; text-align: left } a { color: light-dark(#0969da, #4493f8) }
code { font-size: 85%; padding: 2px 5px; border-radius: 6px; background: light-dark(#eff1f3, #262c36) }
</style><h1>${title} <span>#42</span></h1><article><header><b>renovate</b>&nbsp;<span>commented</span>
${labels.map((label) => `<b class="label">${label}</b>`).join('')}</header><div>${body}</div></article>`;
}

test('the pull request in README shows the text that Renovate writes', async () => {
  const site = await serveExample(undefined, exampleDay);
  const pins = { 'build-agent-maven': '1.23.1', svc: '2025.1' };
  const lines = Object.entries(pins).map(
    ([name, pin], place) =>
      `${writeComment(`# ~${name}`, 'release-index')}ARG PIN${place}_VERSION=${pin}\n`,
  );
  const config = { extends: [`${site.origin}/renovate.json`], groupName: 'our tools' };
  const files = { 'renovate.json': config, Dockerfile: `FROM scratch\n${lines.join('')}` };
  const { branches } = await runRenovate(files, site.origin);
  const upgrades = branches.find((branch) => branch.some(({ newValue }) => newValue === '2026.3'))!;
  const [text = ''] = await writePullRequests([upgrades]);
  // Cuts off the part below the horizontal line, which explains Renovate's configuration.
  const [shown = ''] = text.split('\n---\n');

  for (const [, sentence = ''] of readme.matchAll(/^> (.+)$/gm)) {
    expect(shown).toContain(sentence);
  }
  const MarkdownIt = createRequire(join(renovateFolder, 'package.json'))('markdown-it');
  const html = renderPullRequest(
    'Update our tools',
    [...new Set(upgrades.flatMap(({ addLabels = [] }) => addLabels))],
    new MarkdownIt().render(shown),
  );
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await see('pull-request', url, { height: 405 });
});

test('the commands in README under "An index of your own" print the output in README', async () => {
  const folder = createFolder();
  const lines = readBlock('An index of your own', 'sh')
    .replaceAll('../my-index', join(folder, 'my-index'))
    .trim()
    .split('\n')
    // `git clone` and `npm ci` are left out, because this checkout is used as the clone.
    .filter((line) => !/^(?:git clone|npm ci)/.test(line));
  // The number of files differs from version to version of the program.
  const simplify = (text: string) => text.replace(/\d+ files/, 'N files');
  const preview = lines.pop()!;
  const [, index = ''] = / init (\S+)/.exec(lines[0]!)!;

  const registry = await serveDatedPackages();
  let printed = '';
  for (const line of lines) {
    const cwd = line.includes(' init ') ? program : index;
    const asks = /npx release-index (?:add|start)/.test(line);
    const settings = asks ? { ...env, npm_config_registry: registry } : env;
    // The server runs in this process, so the command must not block it.
    const text = asks ? `${line} --as-of ${exampleDay}` : line;
    const { stdout } = await run('bash', ['-c', text], { cwd, env: settings });
    printed += asks ? stdout : '';
  }
  const output = readBlock('An index of your own', 'text');
  // Output about hosts that did not answer is left out, because it depends on the network.
  const shown = printed.replaceAll(/^(?:Asked|host|api\.|Their).*\n/gm, '');
  if (mayDraw) {
    writeFileSync(join(program, 'README.md'), readme.replace(output, shown));
  }
  expect(simplify(shown)).toBe(simplify(mayDraw ? shown : output));

  await serve(`${preview} --port 0`, index, (url) => see('own', url, { day: exampleDay }));
});

test('the command npm run world serves the page shown in README', async () => {
  const printed = await serve('npm run world -- --port 0', program, (url) => see('world', url));

  const [, products = ''] = /Built .*: (\d+) components /.exec(printed)!;
  expect(readme).toContain(`${products} real products`);
  expect(printed).toContain('all answered');
});
