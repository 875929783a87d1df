// The waiting faults, oldest first. One request can meet one fault of each family.
import {
  familyOf,
  stepOf,
  type AcceptanceFault,
  type ExchangeFault,
  type Fault,
  type FaultFamily,
  type NotificationFault,
  type Step,
} from './fault.ts';

/** What is known about the transaction of a request. A token request has none. */
export type Subject = Pick<Fault, 'reference' | 'phoneNumber' | 'operation'>;

export class Faults {
  #waiting: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  takeForExchange(step: Step, subject: Subject): ExchangeFault | undefined {
    return this.#take('EXCHANGE', step, subject) as ExchangeFault | undefined;
  }

  takeForAcceptance(subject: Subject): AcceptanceFault | undefined {
    return this.#take('ACCEPTANCE', 'submit', subject) as AcceptanceFault | undefined;
  }

  takeForNotification(subject: Subject): NotificationFault | undefined {
    return this.#take('NOTIFICATION', 'notification', subject) as NotificationFault | undefined;
  }

  list(): readonly Fault[] {
    return this.#waiting.map(({ fault, left }) => ({ ...fault, step: stepOf(fault), times: left }));
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Removes those with this label. */
  remove(label: string): void {
    this.#waiting = this.#waiting.filter(({ fault }) => fault.label !== label);
  }

  #take(family: FaultFamily, step: Step, subject: Subject): Fault | undefined {
    const index = this.#waiting.findIndex(
      ({ fault }) => familyOf(fault) === family && stepOf(fault) === step && isAimedAt(fault, subject),
    );
    const found = this.#waiting[index];
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left === 0) this.#waiting.splice(index, 1);
    return found.fault;
  }
}

function isAimedAt(fault: Fault, subject: Subject): boolean {
  return (
    (fault.reference === undefined || fault.reference === subject.reference) &&
    (fault.phoneNumber === undefined || fault.phoneNumber === subject.phoneNumber) &&
    (fault.operation === undefined || fault.operation === subject.operation)
  );
}
