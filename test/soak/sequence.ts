import { type Fault, type Scene, targets } from "../cluster/faults";

/** One fault of a sequence. */
export interface Step {
    readonly fault: Fault;
    readonly machine: string;
    /** Seconds after the start of the sequence. */
    readonly at: number;
}

/** Maximum number of concurrent faults. */
const most = 3;
/** Maximum time between the first fault and the last. Unit: seconds. */
const spread = 20;

/** Pseudorandom numbers from 0 to 1, the same for the same seed: mulberry32. */
export function randomOf(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** The randomness of one sequence of a seed, independent of other sequences: each can be replayed alone. */
export function randomOfSequence(seed: number, index: number): () => number {
    return randomOf(Math.floor(randomOf(seed)() * 2 ** 32) ^ Math.imul(index + 1, 0x9e3779b1));
}

/** Up to three faults close to each other, each on a different machine. */
export function sequenceOf(random: () => number, faults: readonly Fault[], scene: Scene): readonly Step[] {
    const count = 1 + Math.floor(random() * most);
    const steps: Step[] = [];
    for (let step = 0; step < count; step++) {
        const next = pick(random, candidates(faults, scene, steps));
        if (!next) break;
        steps.push({ ...next, at: step === 0 ? 0 : Math.round(random() * spread) });
        if (next.fault.isAlone) break;
    }
    return steps;
}

/** A fault by its number, alone; none if it does not suit the cluster. */
export function singleOf(random: () => number, faults: readonly Fault[], scene: Scene, index: number): readonly Step[] {
    const next = pick(random, candidates(faults.slice(index, index + 1), scene, []));
    return next ? [{ ...next, at: 0 }] : [];
}

/** Faults that can be added to the existing steps. */
function candidates(faults: readonly Fault[], scene: Scene, steps: readonly Step[]) {
    return faults
        .filter(({ isAlone }) => steps.length === 0 || !isAlone)
        .filter(({ name, group = name }) => steps.every(({ fault }) => group !== (fault.group ?? fault.name)))
        .map((fault) => ({ fault, machines: targets(fault, scene).filter((machine) => isFree(fault, machine, steps)) }))
        .filter(({ machines }) => machines.length > 0);
}

/** A machine without power cannot have another fault. */
function isFree({ target }: Fault, machine: string, steps: readonly Step[]): boolean {
    return target === "cluster" || steps.every((step) => step.fault.target === "cluster" || step.machine !== machine);
}

function pick(random: () => number, from: ReturnType<typeof candidates>) {
    const { fault, machines } = from[Math.floor(random() * from.length)] ?? {};
    return fault && { fault, machine: machines![Math.floor(random() * machines!.length)]! };
}

/** A sequence as one line. */
export function describeSequence(steps: readonly Step[]): string {
    return steps
        .map(({ fault, machine, at }) => {
            const where = fault.target === "cluster" ? "" : `(${machine})`;
            return `${fault.name}${where}${at > 0 ? ` +${at} s` : ""}`;
        })
        .join(", ");
}
