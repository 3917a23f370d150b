import type { UpgradeCheck } from "../upgrade-overrides";
import { invalid } from "../validate";
import { describeKeyChanges, type KeyHolder, keyProblems, type Rewrites, rewriteProblems } from "./changes";
import { type CaFacts, caProblems, readerProblems } from "./kubernetes-ca";
import { isSame, type KeyLists } from "./lists";

/** An etcd member, as described by its pod. */
export interface EtcdMemberPod {
    /** Such as `etcd-c-controller-0`. */
    readonly name: string;
    /** The CAs that it started with. */
    readonly etcdCa: readonly number[];
}

/** Etcd members as key holders. */
export function memberHolders(members: readonly EtcdMemberPod[]): KeyHolder[] {
    return members.map(({ name, etcdCa }) => ({ name: `the pod ${name}`, keys: { etcdCa } }));
}

/**
 * Other reasons against a change of etcd's CA: a member about which nothing is known, or one that trusts a withdrawn CA
 * of the same number. kube-apiserver gets a new CA before the members do, so a member that trusts more than
 * kube-apiserver was given an abandoned one.
 *
 * @param controllers - nodes that run a member each
 */
export function memberProblems(
    current: Pick<KeyLists, "etcdCa">,
    members: readonly EtcdMemberPod[],
    controllers: readonly string[],
    desired: Pick<KeyLists, "etcdCa">,
): string[] {
    const [has, next] = [current.etcdCa, desired.etcdCa];
    if (isSame(has, next)) return [];
    const problem = (legal: string) => invalid("keys.etcdCa", legal, next).message;
    const lacking = controllers
        .map((node) => `etcd-${node}`)
        .filter((pod) => !members.some(({ name }) => name === pod))
        .map((pod) => problem(`${JSON.stringify(has)} until pod ${pod} exists: it shows what the member trusts`));
    const reused = members.flatMap(({ name, etcdCa }) =>
        next
            .filter((generation) => etcdCa.includes(generation) && !has.includes(generation))
            .map((generation) =>
                problem(
                    `a list without ${generation} while the pod ${name} has ${JSON.stringify(etcdCa)}: ` +
                        "that CA was abandoned, so use another number",
                ),
            ),
    );
    return [...lacking, ...reused];
}

/** What is known before keys change. */
export interface KeyFacts {
    /** The last keys given to the control plane. */
    readonly current: KeyLists;
    readonly holders: readonly KeyHolder[];
    readonly members: readonly EtcdMemberPod[];
    /** Nodes that run an etcd member each. */
    readonly controllers: readonly string[];
    readonly rewrites: Rewrites;
    /** Problems found by `tokenProblems`. */
    readonly tokens: readonly string[];
    /** @default - the Kubernetes CAs do not change */
    readonly cas?: CaFacts;
}

/** Result of the check. */
export interface KeyVerdict {
    /** Why the keys cannot be changed yet. @default they can */
    readonly refusal?: string;
    readonly warnings: readonly string[];
    /** Changes, one line each. */
    readonly changes: readonly string[];
}

/** A problem that can be overridden. */
interface Finding {
    readonly check: keyof typeof waits;
    readonly message: string;
}

/** What has to wait, as part of a sentence. */
const waits = {
    tokens: "drop a key",
    cas: "switch to certificates of another CA",
} as const satisfies Partial<Record<UpgradeCheck, string>>;

/** Whether the keys of a cluster can be changed now. */
export function keyVerdict(
    cluster: string,
    { current, holders, members, controllers, rewrites, tokens, cas }: KeyFacts,
    desired: KeyLists,
    overrides: readonly UpgradeCheck[],
): KeyVerdict {
    const changes = describeKeyChanges(current, desired);
    const refused = (heading: string, problems: readonly string[]): KeyVerdict => ({
        refusal: [heading, ...problems.map((problem) => `  ${problem}`)].join("\n"),
        warnings: [],
        changes: [],
    });
    const skipped = keyProblems([...holders, ...memberHolders(members), ...(cas?.holders ?? [])], desired);
    const problems = [
        ...skipped,
        ...(cas ? caProblems(current, cas, desired) : []),
        ...memberProblems(current, members, controllers, desired),
        // A skipped step says enough.
        ...(skipped.length === 0 ? rewriteProblems(current, desired, rewrites) : []),
    ];
    if (problems.length > 0) return refused(`${cluster} cannot change to these keys yet:`, problems);
    const findings: readonly Finding[] = [
        ...tokens.map((message): Finding => ({ check: "tokens", message })),
        ...(cas ? readerProblems(current, cas, desired) : []).map((message): Finding => ({ check: "cas", message })),
    ];
    const held = findings.filter(({ check }) => !overrides.includes(check));
    if (held.length > 0) {
        const messages = held.map(({ message }) => message);
        const checks = [...new Set(held.map(({ check }) => check))];
        const { refusal } = refused(
            `${cluster} cannot ${checks.map((check) => waits[check]).join(" and ")} yet:`,
            messages,
        );
        const override = `To proceed anyway, skip these checks: upgradeOverrides: [${checks.join(", ")}]`;
        return { refusal: `${refusal}\n${override}`, warnings: [], changes: [] };
    }
    return { warnings: findings.map(({ check, message }) => `${message} (upgradeOverrides: ${check})`), changes };
}
