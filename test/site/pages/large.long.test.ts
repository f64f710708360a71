import { expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { buildLarge, largeDay } from '../../harness/large-index.ts';
import { serveSite } from '../../harness/serve-site.ts';

const site = await serveSite(buildLarge());

test.each([
  [1280, 800],
  [390, 844],
])(
  'the component list of a large home page starts within the first four screens: %i × %i pixels',
  async (width, height) => {
    const page = await openPage({ width });
    await page.clock.setFixedTime(`${largeDay}T12:00:00Z`);
    await page.goto(`${site.url}index.html`);
    const { y } = (await page.locator('#components').boundingBox())!;

    expect(y).toBeLessThan(4 * height);
  },
);
