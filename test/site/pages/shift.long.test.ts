import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { buildFixtureIndex } from './built-site.ts';
import { describeInBrowser } from './visit.ts';

/** A slow phone: what comes late is seen to come late. */
const slow = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 200_000,
};
const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** The layout shift of a page as a visitor of its address sees it, and what moved. */
async function shiftOf(page: Page, until: string): Promise<{ shift: number; moved: string[] }> {
  const devTools = await page.context().newCDPSession(page);
  const address = page.url();

  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', slow);
  await devTools.send('Network.clearBrowserCache');
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator(until).first().waitFor();

  const seen = await page.evaluate(async () => {
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null }[];
    }

    const shifts: Shift[] = [];
    const observer = new PerformanceObserver((list) => {
      shifts.push(...(list.getEntries() as Shift[]));
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    // Two frames after the last change, the browser has reported it.
    for (let frames = 0; frames < 4; frames += 1) {
      await new Promise(requestAnimationFrame);
    }
    return {
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ sources }) =>
        sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 60) : '')),
      ),
    };
  });

  await devTools.send('Network.emulateNetworkConditions', fast);
  await devTools.detach();

  return seen;
}

describeInBrowser('nothing moves', buildFixtureIndex, (visitor) => {
  it.each([
    ['index.html', 'h1'],
    ['svc.html', 'h1'],
    ['build-agent.html', 'h1'],
    ['dashboard-bundle.html', 'h1'],
    ['changes.html', 'h1'],
    ['status.html', 'h1'],
    ['use.html', 'h1'],
    ['api.html', 'h1'],
    ['mine.html', '#list'],
    ['404.html', 'h1'],
    ['svc.html#v2025.1', '[id="v2025.1"]'],
    ['svc.html#v2019.3.5', '[id="v2019.3.5"]'],
    ['build-agent.html#v3.9', '[id="v3.9"]'],
    ['index.html?q=svc+2025.1', '.card'],
    ['index.html?q=svc+2025.1+to+2025.3', '.card'],
    ['index.html?q=redis+7', '.card'],
    ['svc.html?q=2025.1', '.card'],
    ['svc.html#v2030.1', '.card'],
    ['build-agent.html?q=3.9', '.card'],
    ['changes.html?q=ended', '.card'],
    ['mine.html?q=svc+2025.1', '.card'],
    ['mine.html#c=svc@2025.2,edge-node@1.7', '.steps'],
    ['mine.html#c=node%2021.2.0,svc@2026.2', '.questions'],
  ])('on %s', async (path, until) => {
    for (const [width, height] of [
      [360, 780],
      [1280, 900],
    ] as const) {
      await visitor.visit(path, { viewport: { width, height } }, async (page) => {
        const { shift, moved } = await shiftOf(page, until);

        expect(shift, `${width} wide: ${moved.join(' ')}`).toBeLessThanOrEqual(0.02);
      });
    }
  });

  it.each([
    ['index.html', '#ask-text', 'ask.js', '.card'],
    ['svc.html', '#mine-version', 'ask.js', '.card'],
    ['changes.html', '.finder input', 'ask.js', '.card'],
    ['mine.html', '#list-text', 'plan.js', '.steps'],
  ])('on %s while the script of an answer loads', async (path, field, script, until) => {
    await visitor.visit(path, { viewport: { width: 360, height: 780 } }, async (page) => {
      const isAnswering = Promise.withResolvers<void>();
      await page.route(`**/assets/${script}`, async (route) => {
        await isAnswering.promise;
        await route.continue();
      });
      const input = page.locator(field);
      await input.fill('svc 2025.1');
      await input.evaluate((element: HTMLInputElement) => element.form!.requestSubmit());

      const seen = await page.locator('.place').evaluate((place) => {
        const below = place.nextElementSibling?.getBoundingClientRect().top;
        return { text: place.textContent, isAlone: !below || below >= innerHeight };
      });
      expect(seen).toEqual({ text: 'Answering…', isAlone: true });

      isAnswering.resolve();
      await page.locator(until).waitFor();
      expect(await page.getByText('Answering…').count()).toBe(0);
    });
  });
});
