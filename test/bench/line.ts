/**
 * Measures how long people with a slow phone line wait for a site. Chromium loads the site from loopback over HTTP/2 with gzip. Chromium
 * emulates round trips of 150 ms and 1.6 Mbit/s.
 *
 * A visit begins when a text is submitted on a loaded page, or when a browser without a cache opens a link. The visit ends when the answer
 * is visible. Each visit is measured on the slow line and without emulation. Its result has three numbers:
 * - the milliseconds that the slow line adds to the time until the first paint, or to the time during which a request was running
 * - the number of requests
 * - the kilobytes that the server sent
 */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { readIfThere } from '../../src/core/files.ts';
import { findHeaders } from '../../src/site/headers.ts';
import { launchBrowser } from '../harness/browser.ts';
import { createCertificate } from '../harness/certificate.ts';

export interface Questions {
  readonly version: string;
  readonly query: string;
  readonly list: string;
}

const phoneLine = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const noLine = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

interface Visit {
  /** The page that is loaded before the measurement starts, if there is such a page. */
  readonly start?: string;
  act(page: Page): Promise<unknown>;
  /** Resolves when the answer is visible. If the visit measures a first paint, resolves to the time of that paint in milliseconds. */
  see(page: Page): Promise<number | void>;
}

interface Cost {
  readonly ms: number;
  readonly requests: number;
  readonly bytes: number;
}

/**
 * Returns a table row for each visit. Each visit is made `runs` times. Other programs slow down some runs, so only the fastest run is used.
 */
export async function measureLine(out: string, questions: Questions, runs = 5) {
  const { site, key, sent } = await serve(out);
  // Chromium trusts this key. If it only ignored certificate errors, it would not cache anything.
  const browser = await launchBrowser({
    args: [`--ignore-certificate-errors-spki-list=${key}`],
  });
  const rows: Record<string, string> = {};
  for (const [name, visit] of Object.entries(listVisits(site, questions))) {
    const measure = async (line: typeof noLine) => {
      const costs: Cost[] = [];
      while (costs.length < runs) {
        costs.push(await measureVisit(browser, site, sent, visit, line));
      }
      return costs.toSorted((a, b) => a.ms - b.ms)[0]!;
    };
    const { ms, requests, bytes } = await measure(phoneLine);
    const lineMs = Math.round(ms - (await measure(noLine)).ms);
    rows[name] = `${lineMs} ms, ${requests}, ${(bytes / 1000).toFixed(1)} kB`;
  }
  await browser.close();
  return rows;
}

/** JavaScript that resolves to the time of the first contentful paint, in milliseconds after the start of the navigation. */
const paint = `new Promise((done) => {
  const report = (list) => done(list.getEntriesByName('first-contentful-paint')[0].startTime);
  new PerformanceObserver(report).observe({ type: 'paint', buffered: true });
})`;

function listVisits(site: string, { version, query, list }: Questions): Record<string, Visit> {
  const [component, number] = version.split(' ');
  const open = (path: string) => (page: Page) => page.goto(site + path, { waitUntil: 'commit' });
  const ask = (text: string) => async (page: Page) => {
    await page.fill('#ask-text', text);
    await page.press('#ask-text', 'Enter', { noWaitAfter: true });
  };
  const find = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
  const seePaint = (page: Page) => page.evaluate<number>(paint);
  const row = find('tr:target');
  const table = find('#answer td');
  return {
    'first paint': { act: open(''), see: seePaint },
    'first paint of a component': { act: open(`${component}.html`), see: seePaint },
    version: { start: '', act: ask(version), see: row },
    query: { start: '', act: ask(query), see: table },
    'in words': { start: '', act: ask(`is ${version} still supported?`), see: row },
    'one word': { start: '', act: ask('jdk17'), see: find('#answer:has-text("No component")') },
    'this quarter': {
      start: '',
      act: (page) => page.click('a[href="support.html"]', { noWaitAfter: true }),
      see: find('h1:text("Ends of support this quarter")'),
    },
    list: {
      start: 'mine.html',
      async act(page) {
        await page.fill('textarea', list);
        await page.click('.my-list button', { noWaitAfter: true });
      },
      see: find('#answer li'),
    },
    'cold ?q=version': { act: open(`index.html?q=${encodeURIComponent(version)}`), see: row },
    'cold ?q=query': { act: open(`index.html?q=${encodeURIComponent(query)}`), see: table },
    'cold #v': { act: open(`${component}.html#v${number}`), see: find('output p') },
  };
}

/** Measures a visit in a new browser profile, which has cached only the page from which the visit starts. */
async function measureVisit(
  browser: Browser,
  site: string,
  sent: readonly number[],
  { start, act, see }: Visit,
  line: typeof noLine,
): Promise<Cost> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  if (start !== undefined) {
    await page.goto(site + start, { waitUntil: 'networkidle' });
  }

  const before = sent.length;
  const listSpans = watchRequests(devTools);
  await act(page);
  const ms = (await see(page)) ?? measureUnion(listSpans());
  const bodies = sent.slice(before);
  await context.close();
  return { ms, requests: bodies.length, bytes: bodies.reduce((sum, bytes) => sum + bytes, 0) };
}

interface Span {
  readonly from: number;
  until: number;
}

/** Starts to observe requests. Returns a function that lists when each request so far started and ended, in milliseconds. */
function watchRequests(devTools: CDPSession): () => Span[] {
  const spans = new Map<string, Span>();
  let clock = 0;
  const end = (requestId: string, timestamp: number) => {
    const span = spans.get(requestId);
    if (span) {
      span.until = Math.min(span.until, timestamp * 1000);
    }
  };
  devTools.on('Network.requestWillBeSent', ({ requestId, timestamp, wallTime }) => {
    clock = wallTime - timestamp;
    spans.set(requestId, { from: timestamp * 1000, until: Infinity });
  });
  devTools.on('Network.responseReceived', ({ requestId, timestamp, type, response }) => {
    if (response.fromDiskCache) {
      spans.delete(requestId);
    }
    if (type === 'Document') {
      // A new page replaces the old one. Chromium does not report the end of the old page's requests, so they end here.
      for (const each of spans.keys()) {
        if (each !== requestId) {
          end(each, timestamp);
        }
      }
    }
  });
  devTools.on('Network.loadingFinished', ({ requestId, timestamp }) => end(requestId, timestamp));
  devTools.on('Network.loadingFailed', ({ requestId, timestamp }) => end(requestId, timestamp));
  return () => {
    const now = Date.now() - clock * 1000;
    return Array.from(spans.values(), ({ from, until }) => ({ from, until: Math.min(until, now) }));
  };
}

/** Returns for how many milliseconds at least one request was running. */
function measureUnion(spans: readonly Span[]): number {
  let sum = 0;
  let end = -Infinity;
  for (const { from, until } of spans.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, until - Math.max(from, end));
    end = Math.max(end, until);
  }
  return sum;
}

/**
 * Serves a folder as a static file host does.
 * - `key`: the digest of the certificate's key
 * - `sent`: the size of each body so far
 */
async function serve(folder: string) {
  const { key, cert } = createCertificate();
  const sent: number[] = [];
  const bodies = new Map<string, Buffer>();
  const answer = ({ url }: Http2ServerRequest, response: Http2ServerResponse) => {
    const path = decodeURIComponent(url.slice(1).replace(/\?.*/, '')) || 'index.html';
    const body = bodies.get(path) ?? gzipSync(readIfThere(join(folder, path)) ?? '');
    bodies.set(path, body);
    sent.push(body.length);
    response.writeHead(200, { ...findHeaders(path), 'content-encoding': 'gzip' });
    response.end(body);
  };
  const server = createSecureServer({ key, cert }, answer);
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return {
    site: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    key: createHash('sha256').update(publicKey).digest('base64'),
    sent,
  };
}
