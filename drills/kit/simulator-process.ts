// The simulator as a process of its own, with its books in a journal, so that it can be killed.
// Arguments: the scratch directory (so that it is found), then its options as JSON.
import { startSimulator, type SimulatorOptions } from '../../server/src/sandbox/simulator/simulator.ts';

await startSimulator(JSON.parse(process.argv[3] ?? '{}') as SimulatorOptions);
