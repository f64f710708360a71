import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser } from './visit.ts';

/** A slow phone: what comes late is seen to come late. */
const slow = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 200_000,
};
const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** The layout shift of a page as a visitor of its address sees it, and what moved. `until`: undefined without script. */
async function shiftOf(
  page: Page,
  until: string | undefined,
): Promise<{ shift: number; moved: string[] }> {
  const devTools = await page.context().newCDPSession(page);
  const address = page.url();
  const shifts: { value: number; nodes: (number | undefined)[] }[] = [];

  await devTools.send('DOM.enable');
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', slow);
  await devTools.send('Network.clearBrowserCache');
  await devTools.send('Emulation.setScriptExecutionDisabled', { value: until === undefined });
  await page.goto('about:blank');
  devTools.on('PerformanceTimeline.timelineEventAdded', ({ event }) => {
    const { value, sources } = event.layoutShiftDetails!;
    shifts.push({ value, nodes: sources.map(({ nodeId }) => nodeId) });
  });
  await devTools.send('PerformanceTimeline.enable', { eventTypes: ['layout-shift'] });
  await page.goto(address);
  if (until !== undefined) {
    await page.locator(until).first().waitFor();
  }

  // Each picture takes a frame. Two frames after the last change, the browser has reported it.
  await page.screenshot();
  await page.screenshot();
  const shift = shifts.reduce((sum, { value }) => sum + value, 0);
  const moved: string[] = [];

  for (const backendNodeId of shifts.flatMap(({ nodes }) => nodes)) {
    // What moved may be gone by now.
    const { node } = await devTools
      .send('DOM.describeNode', { backendNodeId: backendNodeId! })
      .catch(() => ({ node: { localName: '?', attributes: [] } }));
    moved.push([node.localName, ...(node.attributes ?? [])].join(' '));
  }

  // Script moves its own controls in.
  await devTools.send('Emulation.setScriptExecutionDisabled', { value: false });
  await devTools.send('Network.emulateNetworkConditions', fast);
  await devTools.detach();

  return { shift, moved };
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

describeInBrowser(
  'nothing moves without script',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    // A page of 120 kB is painted before it is there, unless it waits.
    it.each([
      'index.html',
      'mine.html',
      'thousand.html',
      'thousand.html#v10.6',
      'thousand.html#v10.6.5',
      'thousand.html#v7.1',
      'three-thousand.html#v0.137.7',
      'calm.html#v2021.1.1',
      'ended.html#v2022.1',
    ])('on %s, at any load', async (path) => {
      for (const [width, height] of [
        [360, 780],
        [1280, 900],
      ] as const) {
        await visitor.visit(path, { viewport: { width, height } }, async (page) => {
          for (let load = 0; load < 3; load += 1) {
            const { shift, moved } = await shiftOf(page, undefined);

            expect(shift, `${width} wide: ${moved.join(' ')}`).toBeLessThanOrEqual(0.02);
          }
        });
      }
    });
  },
);
