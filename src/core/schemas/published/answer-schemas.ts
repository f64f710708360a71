import * as z from 'zod';
import { AnsweredRelease } from './answered.ts';
import { DetailsFile } from './details-file.ts';
import { ComponentName, PublishedTimestamp } from './published-scalars.ts';
import { SearchedComponent } from './search-file.ts';
import { ComponentStatus } from './status-file.ts';

/** `GET /api/releases`. */
export const FoundReleases = z
  .array(
    AnsweredRelease.extend({
      availableAt: PublishedTimestamp.optional().meta({
        description:
          'When it entered the index: the start of the day it was first seen, else of the day it was released. Absent where neither is known.',
      }),
    }),
  )
  .max(1000)
  .meta({
    description:
      'Releases with the fields that queries ask for, oldest first by availableAt. age and supportLeft are told only where the query asks for one of them.',
  });

/** `GET /api/components`. */
export const FoundComponents = z
  .array(
    SearchedComponent.omit({ lines: true }).extend({ component: ComponentName, status: ComponentStatus }),
  )
  .meta({ description: 'All components, with what is common to their releases and how fresh they are.' });

/** `GET /api/components/{component}`. */
export const FoundComponent = DetailsFile.omit({ releases: true })
  .extend({ status: ComponentStatus })
  .meta({ description: 'A component as in its details, without its releases, and how fresh it is.' });
