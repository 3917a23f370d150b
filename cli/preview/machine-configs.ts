import { arbiterPool, controllerPool } from "../../agents/nodes/removal/plan";
import { allClouds } from "../../cluster/clouds";
import type { Export } from "../reach/stack-record";
import { isObject, isSecret, lineDifference, SECRET, unfolded } from "./differences";
import { partsOf } from "./events";
import type { ClusterSteps, OwnedStep } from "./model";
import { readNodeConfig } from "./node-config";
import { at } from "./workloads";

/** A changed node config. */
export interface ConfigChange {
    /** Names of the machines that use it. */
    readonly resources: readonly string[];
    readonly changes: readonly FileChange[];
}

type Inputs = Readonly<Record<string, unknown>>;

/** Output of `pulumi preview --save-plan --show-secrets`. */
export interface Plan {
    readonly resourcePlans?: Readonly<
        Record<string, { readonly goal?: { readonly inputDiff?: { readonly updates?: Inputs } | null } | null }>
    >;
}

/** Whether a plan changes the node config of a machine. */
export function hasConfigs({ resourcePlans = {} }: Plan): boolean {
    return Object.values(resourcePlans).some(({ goal }) =>
        Object.values(goal?.inputDiff?.updates ?? {}).some((value) => readNodeConfig(opened(value))),
    );
}

/**
 * Compares node configs, from a plan and a state with plain-text secrets, which are not passed on. Configs with the same
 * changes are merged.
 */
export function machineConfigs(plan: Plan, state: Export): ConfigChange[] {
    const before = new Map(state.deployment?.resources?.map(({ urn = "", inputs = {} }) => [urn, inputs]));
    const found = new Map<string, { resources: string[]; changes: readonly FileChange[] }>();
    const compared = Object.entries(plan.resourcePlans ?? {}).flatMap(([urn, { goal }]) =>
        Object.entries(goal?.inputDiff?.updates ?? {}).map(([key, value]) => {
            return { urn, from: opened(before.get(urn)?.[key]), to: opened(value) };
        }),
    );
    // A large cluster has thousands of secrets, of which few are in these configs.
    const texts = compared.flatMap(({ from, to }) => [from, to].flatMap((each) => textsOf(each)));
    const secrets = knownSecrets([plan, state], texts.join("\n"));
    for (const { urn, from, to } of compared) {
        const changes = configChanges(from, to, secrets) ?? [];
        if (changes.length === 0) continue;
        const alike = JSON.stringify(changes);
        const group = found.get(alike) ?? { resources: [], changes };
        found.set(alike, group);
        group.resources.push(partsOf(urn).name);
    }
    return [...found.values()];
}

function textsOf(config: unknown): string[] {
    return Object.values(readNodeConfig(config)?.texts ?? {});
}

/** A changed file, unit or setting of a node config. */
interface FileChange {
    readonly name: string;
    readonly kind: "added" | "removed" | "changed";
    /** Lines as in `diff -u`. @default - the contents are hidden */
    readonly lines?: readonly string[];
}

/** Longer lines are not readable, such as minified programs. */
const mostLines = 60;
const longestLine = 300;

/**
 * The differences between two node configs. Files readable by root only are listed without their contents; known secrets
 * are hidden everywhere.
 *
 * @param secrets - values to hide
 * @returns undefined if one of them is not a node config
 */
export function configChanges(before: unknown, after: unknown, secrets: readonly string[]): FileChange[] | undefined {
    const [from, to] = [readNodeConfig(before), readNodeConfig(after)];
    if (!from || !to) return undefined;
    const names = [...new Set([...Object.keys(from.texts), ...Object.keys(to.texts)])].sort();
    return names.flatMap((name): FileChange[] => {
        const [old, next] = [from.texts[name], to.texts[name]];
        if (old === next) return [];
        const kind = old === undefined ? "added" : next === undefined ? "removed" : "changed";
        if (from.isHidden(name) || to.isHidden(name)) return [{ name, kind }];
        const [difference] = lineDifference(name, hide(old ?? "", secrets), hide(next ?? "", secrets));
        return [{ name, kind, ...(difference && { lines: difference.lines.map(shortened).slice(0, mostLines) }) }];
    });
}

/** Patterns of secrets: private keys and join tokens. */
const patterns = [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
    /\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g,
];

/** A text with secrets hidden. */
function hide(text: string, secrets: readonly string[]): string {
    const known = secrets.reduce((left, secret) => left.replaceAll(secret, SECRET), text);
    return patterns.reduce((left, pattern) => left.replaceAll(pattern, SECRET), known);
}

function shortened(line: string): string {
    return line.length <= longestLine ? line : `${line.slice(0, longestLine)}… (${line.length} characters)`;
}

/** Shorter secrets would match unrelated text. */
const shortest = 8;

/**
 * Every secret string in plans and states with plain-text secrets that occurs in a text, except node configs themselves.
 *
 * A value that also occurs in plain text is not secret, such as an address in a record that is secret as a whole.
 */
function knownSecrets(from: unknown, text: string): string[] {
    const secrets = new Set<string>();
    const shown: string[] = [];
    const collect = (value: unknown, isWithin: boolean): void => {
        const isHidden = isWithin || isSecret(value);
        const inner = opened(value);
        if (Array.isArray(inner)) for (const each of inner) collect(each, isHidden);
        else if (isObject(inner)) for (const each of Object.values(inner)) collect(each, isHidden);
        else if (typeof inner !== "string") return;
        else if (!isHidden) shown.push(inner);
        else if (!readNodeConfig(inner)) {
            const parsed = unfolded(inner);
            if (isObject(parsed)) collect(parsed, true);
            for (const form of formsOf(inner)) if (form.length >= shortest && text.includes(form)) secrets.add(form);
        }
    };
    collect(from, false);
    const plainText = shown.join("\n");
    // Longest first: replacing a substring first would leave the rest visible.
    return [...secrets].filter((secret) => !plainText.includes(secret)).sort((a, b) => b.length - a.length);
}

/** The value inside a secret's envelope. */
function opened(value: unknown): unknown {
    return isSecret(value) && value.plaintext !== undefined ? JSON.parse(value.plaintext) : value;
}

/** In the cluster a secret is base64; on a machine it is decoded. */
function formsOf(secret: string): string[] {
    const [encoded, decoded] = [Buffer.from(secret).toString("base64"), Buffer.from(secret, "base64").toString()];
    // Invalid base64 does not decode to text.
    return [secret, encoded, ...(decoded.includes("\ufffd") ? [] : [decoded])].map((form) => form.trim());
}

/** A machine of a cluster, or a group managed by a cloud. */
export interface Machine {
    readonly step: OwnedStep;
    readonly name: string;
    /** The `controller` resource. */
    readonly pool: string;
    /** Whether it has a member of etcd: a controller or the arbiter. */
    readonly hasMember: boolean;
}

const machineTypes = allClouds.map(({ machine }) => machine.type);
const volumeTypes = allClouds.map(({ volume }) => volume);

/** The machines that are resources of the stack. */
export function machinesOf({ name: cluster, steps }: ClusterSteps): Machine[] {
    return steps.flatMap((step) => {
        const [, pool] = new RegExp(`^${escaped(cluster)}-(.+)-\\d+$`).exec(step.name) ?? [];
        if (pool === undefined || !isMachine(step)) return [];
        return [{ step, name: step.name, pool, hasMember: [controllerPool, arbiterPool].includes(pool) }];
    });
}

/** Pools whose machines are managed by the cloud. */
export function groupsOf({ steps }: ClusterSteps): OwnedStep[] {
    return steps
        .filter(({ type }) => allClouds.some(({ group }) => group === type))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** etcd volumes by the names of their controllers. */
export function etcdDisksOf({ steps }: ClusterSteps): OwnedStep[] {
    return steps.filter(({ type, name }) => volumeTypes.includes(type) && name.endsWith("-etcd"));
}

/** A local machine is created by a command. */
function isMachine({ type, old, new: coming }: OwnedStep): boolean {
    const command = String(at(coming ?? old, "create") ?? "");
    return machineTypes.includes(type) || (type === "command:local:Command" && command.includes(" machine create "));
}

function escaped(name: string): string {
    return name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
