import { isDeepStrictEqual } from "node:util";
import { type Container, type Fields, titleOf } from "../../clients/kubernetes/objects";
import { programs } from "../../cluster/flags/check";
import type { Program } from "../../cluster/flags/known";
import { flagRule } from "../../cluster/flags/rules";
import type { ComponentOptions } from "../../cluster/options";
import type { Images } from "../../versions/images";
import { find, isPassing, type Manifest } from "../manifests/manifests";

/** A value of a stack's configuration. */
export interface Accepted {
    /** Such as `tradewind:components`, `kubeApiserver`, `v`. */
    readonly path: readonly string[];
    /** @default - it is removed */
    readonly value?: string;
}

export interface Changes {
    readonly accepted: readonly Accepted[];
    /** What no option of the configuration can express, one line each. */
    readonly others: readonly string[];
    /** Objects that the stack itself has changed since its last `up`, by its configuration or release. */
    readonly pending: readonly string[];
}

/** An object as `up` would apply it, as the last `up` applied it, and as the cluster has it. */
interface Versions<T> {
    readonly planned: T;
    readonly applied: T;
    readonly live: T;
}

type Component = keyof ComponentOptions & keyof Images;

/** The option of a program. Agents change those of etcd and kubelets, not their pods. */
function optionOf(container: string): Component | undefined {
    const found = (Object.keys(programs) as Component[]).find((option) => programs[option] === container);
    return found === "etcd" || found === "kubelet" ? undefined : found;
}

/**
 * Finds what another program has changed: values that the stack sets, and that the cluster has neither as `up` would apply
 * them, nor as the last `up` did. What others have only added is not the stack's, and stays.
 *
 * @param isConfigured - whether the configuration has a value, which can be removed
 */
export function foreignChanges(
    { planned, applied, live }: Versions<readonly Manifest[]>,
    isConfigured: (path: readonly string[]) => boolean,
): Changes {
    const found = planned.flatMap((object): Changes[] => {
        const title = titleOf(object);
        const [before, current] = [find(applied, object), find(live, object)];
        if (current === undefined) {
            if (before === undefined) return [{ accepted: [], others: [], pending: [title] }];
            return isPassing(object) ? [] : [{ accepted: [], others: [`${title}: it was deleted`], pending: [] }];
        }
        return [changesOf({ planned: object, applied: before ?? object, live: current }, isConfigured)];
    });
    return {
        accepted: found.flatMap(({ accepted }) => accepted),
        others: found.flatMap(({ others }) => others),
        pending: found.flatMap(({ pending }) => pending),
    };
}

function changesOf(
    { planned, applied, live }: Versions<Manifest>,
    isConfigured: (path: readonly string[]) => boolean,
): Changes {
    const accepted: Accepted[] = [];
    const others: string[] = [];
    let isPending = false;
    const ofStack = containersOf(applied);
    const foreign = containersOf(live);
    for (const container of containersOf(planned)) {
        const now = foreign.find(({ name }) => name === container.name);
        const before = ofStack.find(({ name }) => name === container.name) ?? container;
        const option = optionOf(container.name);
        if (now === undefined || option === undefined) continue;
        if (container.image !== now.image) {
            if (before.image === now.image) isPending = true;
            else accepted.push({ path: ["tradewind:images", option], value: now.image });
        }
        const program = container.name as Program;
        const changed = flagChanges(program, before, now).map(({ flag }) => flag);
        for (const { flag, value, why } of flagChanges(program, container, now)) {
            const path = ["tradewind:components", option, flag];
            if (!changed.includes(flag)) isPending = true;
            else if (why === undefined && (value !== undefined || isConfigured(path))) accepted.push({ path, value });
            else others.push(`${titleOf(planned)}: --${flag}: ${why ?? "the stack sets it itself"}`);
        }
    }
    const isHandled = (path: string) =>
        /containers\[[^\]]+\]\.(image|command|args)/.test(path) &&
        containersOf(planned).some((each) => path.includes(`containers[${each.name}]`) && optionOf(each.name));
    const changed = changedPaths(applied, live);
    for (const path of changedPaths(planned, live)) {
        if (isHandled(path)) continue;
        // A list may be compared as a whole, or by its parts.
        if (changed.some((each) => each.startsWith(path) || path.startsWith(each))) {
            others.push(`${titleOf(planned)}: ${path}`);
        } else {
            isPending = true;
        }
    }
    return { accepted, others, pending: isPending ? [titleOf(planned)] : [] };
}

function containersOf({ spec }: Manifest): readonly Container[] {
    const { template } = (spec ?? {}) as { template?: { spec?: { containers?: readonly Container[] } } };
    return template?.spec?.containers ?? [];
}

interface FlagChange {
    readonly flag: string;
    /** @default - the flag is missing */
    readonly value?: string;
    /** Why no option can express it. @default - one can */
    readonly why?: string;
}

function flagChanges(program: Program, planned: Container, live: Container): FlagChange[] {
    const [own, now] = [flagsOf(planned), flagsOf(live)];
    const changed = [...new Set([...own.keys(), ...now.keys()])].filter((flag) => own.get(flag) !== now.get(flag));
    return changed.map((flag) => {
        const rule = flagRule(program, flag);
        const why = rule?.kind === "owned" ? (rule.instead ? `use ${rule.instead}` : rule.why) : undefined;
        return { flag, value: now.get(flag), why };
    });
}

/** Flags by name, with their values as one text. */
function flagsOf({ command = [], args }: Container): Map<string, string> {
    const found = new Map<string, string>();
    for (const part of [...command, ...((args as readonly string[] | undefined) ?? [])]) {
        const [, flag, value = "true"] = /^--?([a-zA-Z][\w.-]*)(?:=(.*))?$/s.exec(part) ?? [];
        if (flag === undefined) continue;
        const earlier = found.get(flag);
        found.set(flag, earlier === undefined ? value : `${earlier},${value}`);
    }
    return found;
}

/** Paths of values that the stack sets and the cluster has otherwise, as deep as possible. */
function changedPaths(planned: unknown, live: unknown, path = ""): string[] {
    if (isDeepStrictEqual(planned, live)) return [];
    // The API shows 1 as "1".
    if (typeof planned !== "object" && String(planned) === String(live)) return [];
    if (Array.isArray(planned) && Array.isArray(live) && planned.every(isNamed)) {
        return planned.flatMap((each) =>
            changedPaths(
                each,
                live.find((other) => (other as Named).name === each.name),
                `${path}[${each.name}]`,
            ),
        );
    }
    // The API adds defaults to the objects of a list.
    if (Array.isArray(planned) && Array.isArray(live) && planned.every(isRecord) && planned.length === live.length) {
        return planned.flatMap((each, index) => changedPaths(each, live[index], `${path}[${index}]`));
    }
    if (!isRecord(planned) || !isRecord(live)) return [path];
    const at = (key: string) => (path === "" ? key : `${path}.${key}`);
    return Object.keys(planned).flatMap((key) =>
        isMaintained.test(at(key)) ? [] : changedPaths(planned[key], live[key], at(key)),
    );
}

/** What Pulumi adds for itself. */
const isMaintained = /^metadata\.annotations\.pulumi\.com\//;

interface Named {
    readonly name: string;
}

function isNamed(value: unknown): value is Named {
    return isRecord(value) && typeof value.name === "string";
}

function isRecord(value: unknown): value is Fields {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
