import { createHash } from "node:crypto";
import type { Contract, Rules } from "./contract";

/** A container as rendered. */
export interface Rendered {
    readonly image: string;
    readonly command?: readonly string[];
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

interface Rule {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
}

const allVerbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/** Of every client in a cluster: where the API is. */
const ofClients = ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"];

/** What is wrong with a container. */
export function containerProblems(contract: Contract, container: Rendered): string[] {
    const { version, flags, usualFlags = {}, requiredEnv = [], optionalEnv = [], defaults = {} } = contract;
    const { leftOut = {}, always = {}, never = {} } = contract;
    const values = valuesOf(container);
    const passed = flagsOf(container);
    const variables = (container.env ?? []).map(({ name }) => name);
    const isPinned = new RegExp(`:v${version.replaceAll(".", "\\.")}(@|$)`).test(container.image);
    const known = [...requiredEnv, ...optionalEnv, ...ofClients];
    return [
        ...(isPinned ? [] : [`${container.image} is not v${version}, whose source was read`]),
        ...passed.filter((flag) => !flags.includes(flag)).map((flag) => `unknown flag --${flag}`),
        ...Object.keys(usualFlags)
            .filter((flag) => !passed.includes(flag) && leftOut[`--${flag}`] === undefined)
            .map((flag) => `--${flag}, which its own manifest sets, is neither set nor left out with a reason`),
        ...requiredEnv.filter((name) => !variables.includes(name)).map((name) => `${name} is required`),
        ...variables.filter((name) => !known.includes(name)).map((name) => `unknown variable ${name}`),
        ...Object.entries(always)
            .filter(([name, value]) => values.get(name) !== value)
            .map(([name, value]) => `${name} must be ${value} (got ${values.get(name)})`),
        ...Object.entries(never)
            .filter(([name]) => values.has(name))
            .map(([name, why]) => `${name} must not be set: ${why}`),
        ...Object.keys(defaults)
            .filter((name) => passed.includes(name.replace(/^--/, "")) || variables.includes(name))
            .map((name) => `${name} is set, so its default does not matter`),
        ...Object.keys(leftOut)
            .filter((name) => name.startsWith("--"))
            .filter((name) => passed.includes(name.slice(2)) || usualFlags[name.slice(2)] === undefined)
            .map((name) => `${name} is not left out`),
    ];
}

/** Flags, with their dashes, and variables of a container. */
function valuesOf({ command = [], args = [], env = [] }: Rendered): ReadonlyMap<string, string | undefined> {
    const flags = [...command, ...args].flatMap((word) => {
        const [, flag, value] = /^(--[\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
        return flag === undefined ? [] : [[flag, value] as const];
    });
    return new Map([...flags, ...env.map(({ name, value }) => [name, value] as const)]);
}

/** Names of a container's flags. */
export function flagsOf({ command = [], args = [] }: Rendered): string[] {
    return [...command, ...args].flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? []);
}

/** What is wrong with the rules of a pod's service account, which all of its containers use. */
export function ruleProblems(contracts: readonly Contract[], granted: readonly Rule[]): string[] {
    const own = merged(contracts.map(({ rules = {} }) => rules));
    const reasons = (key: "leftOut" | "added") => Object.assign({}, ...contracts.map((each) => each[key] ?? {}));
    const may = granted.flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group) =>
            resources.flatMap((resource) => verbs.map((verb) => `${group && `${group}/`}${resource}: ${verb}`)),
        ),
    );
    const expected = Object.entries(own).flatMap(([resource, verbs]) => verbs.map((verb) => `${resource}: ${verb}`));
    return differences(
        { expected, found: may, leftOut: reasons("leftOut"), added: reasons("added") },
        /^\w[\w./-]*(: \w+)?$/,
    );
}

/** What is wrong with the IAM actions of a program. */
export function actionProblems(
    { actions = [], leftOut = {}, added = {} }: Contract,
    granted: readonly string[],
): string[] {
    return differences({ expected: actions, found: granted, leftOut, added }, /^[a-z0-9]+:[A-Z]/);
}

/**
 * SHA-256 of what Kubernetes checks and shows of definitions: of their served versions, without descriptions and what a
 * generator notes, as JSON with sorted keys.
 */
export function definitionsHash(definitions: readonly object[]): string {
    const sorted = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(sorted);
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(
            Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([key, each]) => [key, sorted(each)]),
        );
    };
    return createHash("sha256")
        .update(JSON.stringify(definitions.map(sorted)))
        .digest("hex");
}

interface Sides {
    readonly expected: readonly string[];
    readonly found: readonly string[];
    readonly leftOut: Readonly<Record<string, string>>;
    readonly added: Readonly<Record<string, string>>;
}

function differences({ expected, found, leftOut, added }: Sides, mine: RegExp): string[] {
    const covers = (reasons: Readonly<Record<string, string>>, item: string) =>
        [item, item.replace(/: \w+$/, "")].find((key) => reasons[key] !== undefined);
    const missing = expected.filter((item) => !found.includes(item));
    const more = [...new Set(found)].filter((item) => !expected.includes(item));
    const used = new Set([
        ...missing.map((item) => `leftOut ${covers(leftOut, item)}`),
        ...more.map((item) => `added ${covers(added, item)}`),
    ]);
    const stale = (kind: "leftOut" | "added", reasons: object) =>
        Object.keys(reasons).filter((key) => mine.test(key) && !used.has(`${kind} ${key}`));
    return [
        ...missing.filter((item) => !covers(leftOut, item)).map((item) => `${item} is missing`),
        ...more.filter((item) => !covers(added, item)).map((item) => `${item} is unknown to it`),
        ...stale("leftOut", leftOut).map((key) => `${key} is not left out`),
        ...stale("added", added).map((key) => `${key} is not added`),
    ];
}

function merged(all: readonly Rules[]): Rules {
    const result: Record<string, string[]> = {};
    for (const [resource, verbs] of all.flatMap((rules) => Object.entries(rules))) {
        const named = verbs.includes("*") ? allVerbs : verbs;
        result[resource] = [...new Set([...(result[resource] ?? []), ...named])];
    }
    return result;
}
