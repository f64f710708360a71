import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { assert, property, string } from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { renderComponentFeed } from '../../../src/site/render/documents/atom.ts';
import {
  listSupportEvents,
  renderCalendar,
} from '../../../src/site/render/documents/support-calendar.ts';
import { componentOf, site } from './sites.ts';

const anyText = string({ unit: 'binary', minLength: 1, maxLength: 200 });

describe('any text', () => {
  it('stays text in a feed', () => {
    const component = componentOf([]);
    assert(
      property(anyText, (title) => {
        const hostile = { ...component, definition: { ...component.definition, title } };
        const document = renderComponentFeed(hostile, [], site);

        expect(XMLValidator.validate(document)).toBe(true);
        const { feed } = new XMLParser({ trimValues: false }).parse(document) as { feed: object };
        expect(Object.keys(feed).filter((name) => name !== '#text')).toEqual([
          ...['id', 'title', 'subtitle', 'updated', 'link', 'author'],
        ]);
        expect(document).not.toMatch(/[^\P{Cc}\t\n\r]/u);
      }),
    );
  });

  it('stays text in a calendar, in lines of at most 75 octets', () => {
    const component = componentOf([{ version: '1.0', releaseTimestamp: '2025-01-01' }], {
      support: { policy: 'term', months: 12 },
    });
    assert(
      property(anyText, (title) => {
        const hostile = { ...component, definition: { ...component.definition, title } };
        const text = renderCalendar(
          'support.ics',
          hostile.definition.title,
          listSupportEvents(hostile, site),
          site,
        );

        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        }
        const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
        const kept = title.replaceAll(/[^\P{Cc}\n]/gu, '');
        expect(events.map((event) => event.getFirstPropertyValue('summary'))).toEqual([
          `${kept} 1.0: support ends`,
        ]);
      }),
    );
  });
});
