import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { buildSynthetic } from './built-site.ts';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';
import { syntheticComponents } from './synthetic.ts';

const components = 403;
const slowdown = 4;
const rounds = 5;
/** Until the picture follows what somebody did; from a fifth of a second on, it is felt as a wait. */
export const mostMs = 200;

const deeds = {
  filter: (page: Page) => type(page, 'component-1'),
  clear: (page: Page) => type(page, ''),
};

/** Milliseconds in which a large index is filtered and shown in full on a slow computer: the least of some rounds. */
export async function measureResponses(executable: string): Promise<[deed: string, ms: number][]> {
  const { calm } = syntheticComponents();
  const titled = (index: number) => ({
    ...calm!,
    definition: { ...calm!.definition, title: `Calm service ${index}` },
  });
  const site = buildSynthetic(
    Object.fromEntries(
      Array.from({ length: components }, (_, index) => [`component-${index}`, titled(index)]),
    ),
  );
  const server = await serveFolder(site.out);
  const browser = await launchBrowser(executable);
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/index.html`);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const least = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, measure] of Object.entries(deeds))
        least.set(name, Math.min(least.get(name) ?? Infinity, await measure(page)));
    }
    return [...least];
  } finally {
    await browser.close();
    await server.close();
    site.remove();
  }
}

function type(page: Page, text: string): Promise<number> {
  const write = (text: string) => {
    const box = document.querySelector<HTMLInputElement>('#ask-text')!;
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return timed(page, write, text);
}

/** Until the frame after it is painted. */
async function timed<Value>(page: Page, deed: (value: Value) => void, value: Value): Promise<number> {
  const run = await page.evaluateHandle<(value: Value) => void>(`(${deed.toString()})`);
  return page.evaluate(
    async ([run, value]) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const before = performance.now();
      run(value as never);
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => resolve());
          port1.start();
          port2.postMessage(undefined);
        });
      });
      return Math.round(performance.now() - before);
    },
    [run, value] as const,
  );
}
