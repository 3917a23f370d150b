import type { UpgradeCheck } from "../upgrade-overrides";
import { type AuthorityFacts, authorityProblems, readerProblems } from "./authorities";
import { describeKeyChanges, type KeyHolder, keyProblems, type Rewrites, rewriteProblems } from "./changes";
import type { KeyLists } from "./lists";
import { type EtcdMemberPod, memberHolders, memberProblems } from "./members";

/** What is known before keys change. */
export interface KeyFacts {
    /** Those that the control plane was told to have last. */
    readonly told: KeyLists;
    readonly holders: readonly KeyHolder[];
    readonly members: readonly EtcdMemberPod[];
    /** Nodes that have a member of etcd each. */
    readonly controllers: readonly string[];
    readonly rewrites: Rewrites;
    /** As of `tokenProblems`. */
    readonly tokens: readonly string[];
    /** @default - the Kubernetes authorities stay as they are */
    readonly authorities?: AuthorityFacts;
}

/** What is said of other keys. */
export interface KeyVerdict {
    /** Why they may not be yet. @default they may be */
    readonly refusal?: string;
    readonly warnings: readonly string[];
    /** What changes, each in a line. */
    readonly changes: readonly string[];
}

/** What may be done all the same. */
interface Finding {
    readonly check: keyof typeof waits;
    readonly message: string;
}

/** What waits, as one says it. */
const waits = {
    tokens: "be without a key",
    authorities: "show certificates of another authority",
} as const satisfies Partial<Record<UpgradeCheck, string>>;

/** Whether a cluster may have other keys now. */
export function keyVerdict(
    cluster: string,
    { told, holders, members, controllers, rewrites, tokens, authorities }: KeyFacts,
    wanted: KeyLists,
    overrides: readonly UpgradeCheck[],
): KeyVerdict {
    const changes = describeKeyChanges(told, wanted);
    const refused = (heading: string, problems: readonly string[]): KeyVerdict => ({
        refusal: [heading, ...problems.map((problem) => `  ${problem}`)].join("\n"),
        warnings: [],
        changes: [],
    });
    const problems = [
        ...keyProblems([...holders, ...memberHolders(members), ...(authorities?.holders ?? [])], wanted),
        ...(authorities ? authorityProblems(told, authorities, wanted) : []),
        ...memberProblems(told, members, controllers, wanted),
        ...rewriteProblems(told, wanted, rewrites),
    ];
    if (problems.length > 0) {
        return refused(`${cluster} can't have these keys yet:`, problems);
    }
    const findings: readonly Finding[] = [
        ...tokens.map((message): Finding => ({ check: "tokens", message })),
        ...(authorities ? readerProblems(told, authorities, wanted) : []).map(
            (message): Finding => ({ check: "authorities", message }),
        ),
    ];
    const held = findings.filter(({ check }) => !overrides.includes(check));
    if (held.length > 0) {
        const messages = held.map(({ message }) => message);
        const checks = [...new Set(held.map(({ check }) => check))];
        const { refusal } = refused(
            `${cluster} can't ${checks.map((check) => waits[check]).join(" and ")} yet:`,
            messages,
        );
        const override = `To do it all the same, name what is not to be held against it: upgradeOverrides: [${checks.join(", ")}]`;
        return { refusal: `${refusal}\n${override}`, warnings: [], changes: [] };
    }
    return { warnings: findings.map(({ check, message }) => `${message} (upgradeOverrides: ${check})`), changes };
}
