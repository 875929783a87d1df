// Several payments of one kind in one request: a list in, a list in the same order out.
import { Type, type TObject } from 'typebox';
import { gravest, inputFault, invalidFault, type Fault, type Parsed } from '../fault.ts';
import { isJsonObject } from '../json.ts';

/** The specification lets lists above 20 be rejected, and known clients send no longer ones. */
const LENGTH_MAX = 20;

export function bulkRequestSchema<Element extends TObject>(element: Element) {
  return Type.Array(element, {
    minItems: 1,
    maxItems: LENGTH_MAX,
    description: `1 to ${LENGTH_MAX} requests. Each stands for itself: one can be accepted while another is rejected.`,
  });
}

export function bulkInitiationSchema<Element extends TObject>(element: Element) {
  return Type.Array(element, { description: 'One answer for each request, in the same order.' });
}

/** Reads a list with the parser of its elements. A fault names its element: `[3].amount`. */
export function parseBulk<Request>(
  body: unknown,
  parseElement: (element: unknown) => Parsed<Request>,
): Parsed<readonly Request[]> {
  if (!Array.isArray(body)) return { type: 'FAULT', fault: inputFault('it is not a JSON array') };
  if (body.length < 1 || body.length > LENGTH_MAX) {
    return { type: 'FAULT', fault: inputFault(`it must have 1 to ${LENGTH_MAX} entries`) };
  }
  const faults: Fault[] = [];
  const requests: Request[] = [];
  for (const [index, element] of body.entries()) {
    const parsed = isJsonObject(element) ? parseElement(element) : NO_OBJECT;
    if (parsed.type === 'FAULT') faults.push(inElement(index, parsed.fault));
    else requests.push(parsed.request);
  }
  const fault = gravest(faults);
  return fault === null ? { type: 'PARSED', request: requests } : { type: 'FAULT', fault };
}

const NO_OBJECT = { type: 'FAULT', fault: invalidFault('', 'it must be an object') } as const;

function inElement(index: number, fault: Fault): Fault {
  const place = `[${index}]`;
  return { ...fault, parameter: fault.parameter === '' ? place : `${place}.${fault.parameter}` };
}
