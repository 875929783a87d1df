// Several payments of one kind in one request; the answers are in the same order.
import { Type, type TObject } from 'typebox';
import { gravest, inputFault, invalidFault, type Fault, type Parsed } from '../fault.ts';
import { isJsonObject } from '../json.ts';

/** The specification allows to reject lists above 20, and known clients send at most 20. */
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

/** Parses a list with the parser of its elements. An error names its element: `[3].amount`. */
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
