import { addressAnnotation, loopbackAddress, replaceAddress } from "../../clients/kubernetes/loopback";
import type { DaemonSet } from "../../clients/kubernetes/objects";
import { knownFlags, type Program } from "../flags/known";
import { unknownEntries } from "../flags/values";
import type { UpgradeProblem } from "./problem";
import { emulatedFlag, flagOf, floorFlag } from "./rollback";
import { minorOf, versionOfImage } from "./version";

export type Template = NonNullable<DaemonSet["spec"]>["template"];

/** Programs that change together, in a step of an upgrade. */
export const steppedPrograms = {
    apiserver: ["kube-apiserver"],
    controllers: ["kube-controller-manager", "kube-scheduler"],
} as const satisfies Readonly<Record<string, readonly Program[]>>;

type Stepped = keyof typeof steppedPrograms;

/** Minor versions that programs behave like, by emulation or because they are of that version. */
export interface Stepping {
    readonly apiserver: string;
    /** The older one of both. */
    readonly controllers: string;
    /** Whether kube-apiserver's program is of the newer version already. */
    readonly hasNewer: boolean;
}

/** A rollout of programs of the newer version that emulate an older one. */
export interface EmulationStep {
    readonly of: Stepped;
    readonly as: string;
}

/**
 * Rollouts that lead so near to a minor version that one more rollout, without emulation, reaches it. Kubernetes
 * supports only neighbouring minor versions of kube-apiservers, and of controllers behind them: so the newer programs
 * first behave like the older ones, and then like each version in between. The way back is the same in reverse.
 */
export function emulationSteps({ apiserver, controllers, hasNewer }: Stepping, target: string): EmulationStep[] {
    const numberOf = (minor: string) => Number(minor.split(".")[1]);
    const [major] = target.split(".");
    const steps: EmulationStep[] = [];
    let [a, c] = [numberOf(apiserver), numberOf(controllers)];
    const end = numberOf(target);
    const add = (of: Stepped, as: number) => steps.push({ of, as: `${major}.${as}` });
    if (!hasNewer && end - Math.min(a, c) > 1) add("apiserver", a);
    while (Math.min(a, c) < end - 1) {
        if (c < a) add("controllers", ++c);
        else add("apiserver", ++a);
    }
    while (Math.max(a, c) > end + 1) {
        if (c < a) add("apiserver", --a);
        else add("controllers", --c);
    }
    return steps;
}

/** What a program runs as: its version, or the one that it emulates. */
export function runsAs(program: Program, { spec }: Pick<Template, "spec">): { version: string; minor: string } {
    const { image = "", command = [] } = spec.containers.find(({ name }) => name === program) ?? {};
    const version = versionOfImage(image) ?? "0.0.0";
    return { version, minor: flagOf(command, emulatedFlag) ?? minorOf(version) };
}

/** Whether a pod template is one of `emulating`. */
export function emulates(program: Program, { spec }: Pick<Template, "spec">): boolean {
    const { command = [] } = spec.containers.find(({ name }) => name === program) ?? {};
    return flagOf(command, emulatedFlag) !== undefined;
}

interface Emulation {
    readonly as: string;
    /** Image of the newer version. @default the template's, which is of it already */
    readonly image?: string;
    /** The oldest version that must be able to read everything. @default the template's */
    readonly floor?: string;
}

/** A program's pod template with the newer version emulating an older one, at a loopback address of its own. */
export function emulating(program: Program, template: Template, { as, image, floor }: Emulation): Template {
    const replaced = [emulatedFlag, ...(floor === undefined ? [] : [floorFlag])];
    const flags = [`--${emulatedFlag}=${as}`, ...(floor === undefined ? [] : [`--${floorFlag}=${floor}`])];
    const containers = template.spec.containers.map((each) => {
        if (each.name !== program) return each;
        const kept = (each.command ?? []).filter((part) => !replaced.some((name) => part.startsWith(`--${name}=`)));
        return { ...each, ...(image && { image }), command: [...kept, ...flags] };
    });
    const changed = { ...template, spec: { ...template.spec, containers } };
    const address = template.metadata?.annotations?.[addressAnnotation];
    return address === undefined ? changed : replaceAddress(changed, address, loopbackAddress(changed));
}

/**
 * Flags of running programs that the newer version does not have, or with names that a version in between does not
 * have: programs with them would not start.
 */
export function steppedFlags(program: Program, { spec }: Pick<Template, "spec">, minors: readonly string[]) {
    const { command = [] } = spec.containers.find(({ name }) => name === program) ?? {};
    const newest = minors.at(-1)!;
    return command.flatMap((part): UpgradeProblem[] => {
        const [, flag = "", value = ""] = /^--([\w-]+)=(.*)$/.exec(part) ?? [];
        if (flag === "") return [];
        const isKnown = knownFlags(program, newest)?.has(flag) ?? true;
        const without = minors.flatMap((minor) =>
            unknownEntries(program, minor, flag, value).map(({ name }) => `${flag}=${name} (not in ${minor})`),
        );
        const wrong = isKnown ? without : [`${flag} (not in ${newest})`];
        const what = `must be removed from ${program} before several minor versions at once`;
        return wrong.map((each) => ({ check: "flags", message: `${each} ${what}` }));
    });
}
