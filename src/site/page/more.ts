// Loaded with the first question that is not just a name and a version, and with the first bill of materials, as `assets/more.js`.

export { askAnything } from './ask-anything.ts';
export { readBill } from '../../ask/texts/bill-of-materials.ts';
