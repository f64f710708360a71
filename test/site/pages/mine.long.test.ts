import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { daysApart, readableDay } from '../../../src/core/dates.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { runCli } from '../../harness/cli.ts';
import { buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { hostileText, syntheticComponents } from './synthetic.ts';
import { describeInBrowser } from './visit.ts';

const readable = (text: string) =>
  daysApart(text)
    .map(({ text, isDay }) => (isDay ? readableDay(text) : text))
    .join('');
const answer = (page: Page) => page.locator('#mine-answer');
const verdict = (page: Page) => answer(page).locator('b').first().textContent();
const notes = async (page: Page) => {
  await answer(page).locator('p').first().waitFor();
  return answer(page).locator('li').allTextContents();
};
const hash = (page: Page) => new URL(page.url()).hash;

describeInBrowser('the question on the page of a component', buildFixtureIndex, (visitor) => {
  it('is answered as by the command, with what lies between and an address of its own', async () => {
    const args = ['--root', fixtureIndex, '--as-of', fixtureDay, '--json'];
    const { stdout } = await runCli(['explain', 'svc', '2025.1', ...args]);
    const command = JSON.parse(stdout).answer;
    const between = command.releasesBetween.map(({ version }: { version: string }) => version);
    const permissions = ['clipboard-read', 'clipboard-write'];

    await visitor.visit('svc.html', { permissions }, async (page) => {
      await page.getByLabel('Which version do you run?').fill('2025.1');
      expect(await notes(page)).toEqual([...between, '2026.3']);
      expect(await verdict(page)).toBe(readable(`${command.sentence} ${command.advice}`));
      expect(await page.getByLabel('Changes up to').getAttribute('placeholder')).toBe('2026.3');
      expect(await page.locator('tr.mine').getAttribute('id')).toBe('v2025.1');
      expect(await page.locator('tr.mine').isVisible()).toBe(true);
      expect(hash(page)).toBe('#v2025.1');

      await page.getByRole('button', { name: 'Copy the address' }).click();
      await page.getByText('Copied the address').waitFor({ state: 'attached' });
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

      await page.getByLabel('Which version do you run?').fill('');
      await answer(page).locator('p').first().waitFor({ state: 'detached' });
      expect(await page.locator('tr.mine').count()).toBe(0);
      expect(hash(page)).toBe('');
    });
  });

  it('compares with a version that somebody would rather move to, over a reload, Back and another address', async () => {
    await visitor.visit('svc.html#v2025.1...2025.3', {}, async (page) => {
      expect(await notes(page)).toEqual(['2025.2', '2025.3']);
      expect(await page.getByLabel('Which version do you run?').inputValue()).toBe('2025.1');
      expect(await page.getByLabel('Changes up to').inputValue()).toBe('2025.3');

      await page.getByLabel('Changes up to').fill('2025.4');
      await answer(page).getByText('Changes on the way to 2025.4:').waitFor();
      expect(hash(page)).toBe('#v2025.1...2025.4');
      await page.reload();
      expect(await notes(page)).toEqual(['2025.2', '2025.3', '2025.4']);

      await page.evaluate(() => {
        location.hash = '#v2026.2';
      });
      await answer(page).getByText('Server 2026.2 is supported').waitFor();
      expect(await page.getByLabel('Changes up to').inputValue()).toBe('');
      await page.goBack();
      await answer(page).getByText('Changes on the way to 2025.4:').waitFor();

      await page.getByLabel('Changes up to').fill('9.9');
      await answer(page).getByText('There is no release 9.9 to move to.').waitFor();
    });
  });

  it('is answered for what is not listed: by its line, or with what was probably meant', async () => {
    await visitor.visit('svc.html', {}, async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('2025.1.7');
      await answer(page).getByText('Server 2025.1.7 is not listed.').waitFor();
      await page.getByLabel('Which version do you run?').fill('<b>');
      await answer(page).getByText('Server <b> belongs to no known release line').waitFor();
      expect(await answer(page).locator('b').count()).toBe(1);
    });
  });

  it('says that the details could not be read, and asks again the next time', async () => {
    await visitor.visit('svc.html', { expectedMessage: /503/ }, async (page) => {
      await page.route('**/details/svc.json', (route) => route.fulfill({ status: 503 }));
      await page.getByLabel('Which version do you run?').fill('2025.1');
      await answer(page).getByText('No answer, please try again: details/svc.json answered 503').waitFor();

      await page.unroute('**/details/svc.json');
      await page.getByLabel('Which version do you run?').fill('2025.2');
      await answer(page).getByText('Server 2025.2 is supported').waitFor();
    });
  });
});

describeInBrowser(
  'the question on pages with every oddity',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    it('is answered on a version that the page leaves out, which comes with its year on demand', async () => {
      await visitor.visit('three-thousand.html#v0.3.7', {}, async (page) => {
        await answer(page).locator('b').first().waitFor();
        expect(await page.locator('#versions option').count()).toBe(300);
        await page.getByLabel('Changes up to').fill('0.149.19');
        await answer(page).getByText('Changes on the way to 0.149.19:').waitFor();
        expect((await notes(page)).slice(99)).toEqual(['0.8.7', 'and 2,832 more']);
        expect(await page.locator('tr[id="v0.3.7"]').count()).toBe(0);

        await page.getByRole('button', { name: 'Show them here, by year' }).click();
        const years = page.locator('#older details');
        await years.first().waitFor();
        const sizes = (await years.locator('summary').allTextContents()).map((text) => text.split(': '));
        const names = sizes.map(([year]) => year!);
        expect(names).toEqual(names.toSorted().reverse());
        expect(sizes.reduce((sum, [, size]) => sum + Number(size), 0)).toBe(
          3000 - Number(await page.locator('#older').getAttribute('data-shown')),
        );
        await years.last().locator('summary').click();
        const row = page.locator('tr[id="v0.3.7"]');
        await row.waitFor();
        expect(await row.locator('td').allTextContents()).toEqual(['31 Oct 2018 ', 'No promise']);
      });
    });

    it('bears odd versions in the address, and shows hostile text as it is', async () => {
      await visitor.visit('hostile.html#v1.1-_~3a~b', {}, async (page) => {
        await answer(page).locator('p').first().waitFor();
        expect(await page.getByLabel('Which version do you run?').inputValue()).toBe('1.1-_:b');
        expect(await verdict(page)).toContain(`${hostileText} 1.1-_:b `);

        await page.getByLabel('Changes up to').fill('1.3+--');
        await answer(page).getByText('Changes on the way to 1.3+--:').waitFor();
        expect(hash(page)).toBe('#v1.1-_~3a~b...1.3+--');
        expect(await notes(page)).toEqual(['1.2~7e~', '1.3+-- deprecated']);
        expect(await page.locator('main script').count()).toBe(0);
      });
    });

    it('opens the closed part of the page in which the version stands', async () => {
      await visitor.visit('calm.html#v2021.2', {}, async (page) => {
        const row = page.locator('tr[id="v2021.2"]');

        await row.waitFor({ state: 'visible' });
        expect(await row.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
      });
    });
  },
);
