import { isObject, isSecret, lineDifference, SECRET, unfolded } from "./differences";
import { partsOf } from "./events";
import type { ClusterSteps, OwnedStep } from "./model";
import { readNodeConfig } from "./node-config";
import { at } from "./workloads";

/** What some machines boot with, which is to be another one. */
export interface ConfigChange {
    /** Names of the resources that have it. */
    readonly resources: readonly string[];
    readonly changes: readonly FileChange[];
}

type Inputs = Readonly<Record<string, unknown>>;

/** What `pulumi preview --save-plan --show-secrets` writes. */
export interface Plan {
    readonly resourcePlans?: Readonly<
        Record<string, { readonly goal?: { readonly inputDiff?: { readonly updates?: Inputs } | null } | null }>
    >;
}

/** What `pulumi stack export --show-secrets` prints. */
interface Exported {
    readonly deployment?: { readonly resources?: readonly { readonly urn: string; readonly inputs?: Inputs }[] };
}

/** Whether a plan has another config for a machine. */
export function hasConfigs({ resourcePlans = {} }: Plan): boolean {
    return Object.values(resourcePlans).some(({ goal }) =>
        Object.values(goal?.inputDiff?.updates ?? {}).some((value) => readNodeConfig(opened(value))),
    );
}

/**
 * What machines boot with, before and after, out of a plan and a state that have secrets in plain text: those go no
 * further. Configs that change alike are told once.
 */
export function machineConfigs(plan: Plan, state: Exported): ConfigChange[] {
    const secrets = knownSecrets([plan, state]);
    const before = new Map(state.deployment?.resources?.map(({ urn, inputs = {} }) => [urn, inputs]));
    const found = new Map<string, { resources: string[]; changes: readonly FileChange[] }>();
    for (const [urn, { goal }] of Object.entries(plan.resourcePlans ?? {})) {
        for (const [key, value] of Object.entries(goal?.inputDiff?.updates ?? {})) {
            const changes = configChanges(opened(before.get(urn)?.[key]), opened(value), secrets) ?? [];
            if (changes.length === 0) continue;
            const alike = JSON.stringify(changes);
            const group = found.get(alike) ?? { resources: [], changes };
            found.set(alike, group);
            group.resources.push(partsOf(urn).name);
        }
    }
    return [...found.values()];
}

/** A file, unit or setting of what a machine boots with, which is another one. */
interface FileChange {
    readonly name: string;
    readonly kind: "comes" | "goes" | "changes";
    /** Lines as of `diff -u`. @default - what it holds is not shown */
    readonly lines?: readonly string[];
}

/** More of a file is no longer read by people: programs in one line, say. */
const mostLines = 60;
const longestLine = 300;

/**
 * What is different between two configs of a machine. Of what root alone may read nothing is shown but that it
 * is another one; what is known as a secret is hidden wherever it stands.
 *
 * @param secrets - values that nobody may read
 * @returns undefined if one of them is no config
 */
export function configChanges(before: unknown, after: unknown, secrets: readonly string[]): FileChange[] | undefined {
    const [from, to] = [readNodeConfig(before), readNodeConfig(after)];
    if (!from || !to) return undefined;
    const names = [...new Set([...Object.keys(from.texts), ...Object.keys(to.texts)])].sort();
    return names.flatMap((name): FileChange[] => {
        const [old, next] = [from.texts[name], to.texts[name]];
        if (old === next) return [];
        const kind = old === undefined ? "comes" : next === undefined ? "goes" : "changes";
        if (from.isHidden(name) || to.isHidden(name)) return [{ name, kind }];
        const [difference] = lineDifference(name, hide(old ?? "", secrets), hide(next ?? "", secrets));
        return [{ name, kind, ...(difference && { lines: difference.lines.map(shortened).slice(0, mostLines) }) }];
    });
}

/** Patterns of what is secret wherever it is: private keys, tokens by which machines join. */
const patterns = [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
    /\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g,
];

/** A text without secrets. */
function hide(text: string, secrets: readonly string[]): string {
    const known = secrets.reduce((left, secret) => left.replaceAll(secret, SECRET), text);
    return patterns.reduce((left, pattern) => left.replaceAll(pattern, SECRET), known);
}

function shortened(line: string): string {
    return line.length <= longestLine ? line : `${line.slice(0, longestLine)}… (${line.length} characters)`;
}

/** A shorter one would be found where it is none. */
const shortest = 8;

/**
 * Every secret text in plans and states that have them in plain text, but machines' configs themselves.
 *
 * What stands elsewhere in plain text is none: an address, say, that is also in a record which is secret as a whole.
 */
function knownSecrets(from: unknown): string[] {
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
            for (const form of formsOf(inner)) if (form.length >= shortest) secrets.add(form);
        }
    };
    collect(from, false);
    const plainText = shown.join("\n");
    // The longest first: a part of it would leave the rest.
    return [...secrets].filter((secret) => !plainText.includes(secret)).sort((a, b) => b.length - a.length);
}

/** What is in the envelope of a secret. */
function opened(value: unknown): unknown {
    return isSecret(value) && value.plaintext !== undefined ? JSON.parse(value.plaintext) : value;
}

/** In the cluster a secret is base64; on a machine it is what that says. */
function formsOf(secret: string): string[] {
    const [encoded, decoded] = [Buffer.from(secret).toString("base64"), Buffer.from(secret, "base64").toString()];
    // What is no base64 decodes to no text.
    return [secret, encoded, ...(decoded.includes("\ufffd") ? [] : [decoded])].map((form) => form.trim());
}

/** A machine of a cluster, or a group of those that a cloud makes. */
export interface Machine {
    readonly step: OwnedStep;
    readonly name: string;
    /** `controller` is one. */
    readonly pool: string;
    readonly isController: boolean;
}

const machineTypes = ["aws:ec2/instance:Instance", "digitalocean:index/droplet:Droplet"];

/** The machines that a stack has each as a resource of its own. */
export function machinesOf({ name: cluster, steps }: ClusterSteps): Machine[] {
    return steps.flatMap((step) => {
        const [, pool] = new RegExp(`^${escaped(cluster)}-(.+)-\\d+$`).exec(step.name) ?? [];
        if (pool === undefined || !isMachine(step)) return [];
        return [{ step, name: step.name, pool, isController: pool === "controller" }];
    });
}

/** Pools whose machines the cloud makes. */
export function groupsOf({ steps }: ClusterSteps): OwnedStep[] {
    return steps
        .filter(({ type }) => type === "aws:autoscaling/group:Group")
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The volumes of etcd by the names of their controllers. */
export function etcdDisksOf({ steps }: ClusterSteps): OwnedStep[] {
    return steps.filter(
        ({ type, name }) =>
            ["aws:ebs/volume:Volume", "digitalocean:index/volume:Volume"].includes(type) && name.endsWith("-etcd"),
    );
}

/** A local machine is what a command makes. */
function isMachine({ type, old, new: coming }: OwnedStep): boolean {
    const command = String(at(coming ?? old, "create") ?? "");
    return machineTypes.includes(type) || (type === "command:local:Command" && command.includes(" machine create "));
}

function escaped(name: string): string {
    return name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
