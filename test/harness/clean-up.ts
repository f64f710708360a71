import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './root.ts';

// After each file of tests; scripts that use the harness without vitest do it themselves.
afterAll(removeTemporaryFolders);
