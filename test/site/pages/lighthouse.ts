import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser, missingBrowser } from './browser.ts';
import { buildCheckout, buildMany, buildPrivate, type BuiltFolder } from './built-site.ts';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';

/**
 * `npm run lighthouse`: scores of every kind of page on a slow phone. Lighthouse is larger than all other dependencies together,
 * and is only installed here. `npm run lighthouse -- timeline` measures only pages with this text in their names.
 */
const version = '13.5.0';
const folder = resolve(import.meta.dirname, '../../../.cache/lighthouse', version);
const program = join(folder, 'node_modules/lighthouse/cli/index.js');

const least: Readonly<Record<string, number>> = {
  performance: 0.95,
  accessibility: 1,
  'best-practices': 0.95,
  seo: 0.95,
};

interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string }[] }>;
  audits: Record<string, { title: string; score: number | null }>;
}

const run = promisify(execFile);

async function install(): Promise<void> {
  if (existsSync(program)) return;
  console.log(`Installing Lighthouse ${version} into .cache/lighthouse (190 MB, once) …`);
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...options, `lighthouse@${version}`]);
}

async function measure(url: string, browser: string): Promise<Report> {
  const path = join(folder, 'report.json');
  const options = ['--quiet', '--output=json', `--output-path=${path}`];
  await run(process.execPath, [program, url, ...options, '--chrome-flags=--headless=new --no-sandbox'], {
    env: { ...process.env, CHROME_PATH: browser },
  });
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

/** Scores of performance depend on what else a machine does: the best of some counts. */
const rounds = 3;

async function bestOf(url: string, browser: string): Promise<Report> {
  let best = await measure(url, browser);
  for (let round = 1; round < rounds && speedOf(best) < least['performance']!; round += 1) {
    const next = await measure(url, browser);
    if (speedOf(next) > speedOf(best)) best = next;
  }
  return best;
}

function speedOf({ categories }: Report): number {
  return categories['performance']!.score;
}

/** Prints the scores; what is too low with the audits that cost points. */
function judge(page: string, { categories, audits }: Report): boolean {
  const scores = Object.entries(categories).map(([name, { score }]) => `${name} ${score}`);
  console.log(`${page}: ${scores.join(', ')}`);
  const low = Object.entries(categories).filter(([name, { score }]) => score < (least[name] ?? 0));
  for (const [name, { auditRefs }] of low) {
    console.log(`  ${name}: at least ${least[name]} is wanted`);
    for (const audit of auditRefs.flatMap(({ id }) => audits[id] ?? [])) {
      if (audit.score !== null && audit.score < 1) console.log(`  ${audit.title}: ${audit.score}`);
    }
  }
  return low.length === 0;
}

const apiPages = ['api', 'api-files', 'api-stream', 'api-agents'];
const sites: readonly (readonly [name: string, build: () => BuiltFolder, pages: readonly string[]])[] = [
  [
    'this checkout',
    buildCheckout,
    ['index', 'svc', 'build-cache-node', 'timeline', 'changes', 'status', 'verify', 'pipelines', ...apiPages],
  ],
  ['403 components', buildMany, ['index', 'tool-4', 'timeline', 'ends', 'changes', 'status', ...apiPages]],
  ['a private index', buildPrivate, ['sign-in']],
];

const browser = findBrowser();
if (browser === undefined) throw new Error(missingBrowser);
await install();
const [wanted = ''] = process.argv.slice(2);
const results: boolean[] = [];
for (const [name, build, pages] of sites) {
  const chosen = pages.map((page) => `${page}.html`).filter((page) => page.includes(wanted));
  if (chosen.length === 0) continue;
  const site = build();
  const server = await serveFolder(site.out);
  for (const page of chosen)
    results.push(judge(`${page} of ${name}`, await bestOf(`${server.url}/${page}`, browser)));
  await server.close();
  site.remove();
}
if (results.includes(false)) process.exitCode = 1;
