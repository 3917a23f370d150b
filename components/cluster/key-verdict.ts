import { describeKeyChanges, type KeyHolder, keyProblems, type Rewrites, rewriteProblems } from "./key-changes";
import type { KeyLists } from "./key-lists";
import { type EtcdMemberPod, memberHolders, memberProblems } from "./member-checks";
import type { UpgradeCheck } from "./upgrade-checks";

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
}

/** What is said of other keys. */
export interface KeyVerdict {
    /** Why they may not be yet. @default they may be */
    readonly refusal?: string;
    readonly warnings: readonly string[];
    /** What changes, each in a line. */
    readonly changes: readonly string[];
}

/** Whether a cluster may have other keys now. */
export function keyVerdict(
    cluster: string,
    { told, holders, members, controllers, rewrites, tokens }: KeyFacts,
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
        ...keyProblems([...holders, ...memberHolders(members)], wanted),
        ...memberProblems(told, members, controllers, wanted),
        ...rewriteProblems(told, wanted, rewrites),
    ];
    if (problems.length > 0) {
        return refused(`${cluster} can't have these keys yet:`, problems);
    }
    if (tokens.length > 0 && !overrides.includes("tokens")) {
        const { refusal } = refused(`${cluster} can't be without a key yet:`, tokens);
        const override = "To do it all the same, name what is not to be held against it: upgradeOverrides: [tokens]";
        return { refusal: `${refusal}\n${override}`, warnings: [], changes: [] };
    }
    return { warnings: tokens.map((token) => `${token} (upgradeOverrides: tokens)`), changes };
}
