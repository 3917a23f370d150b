import { invalid } from "../validate";
import type { KeyHolder } from "./changes";
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
    told: Pick<KeyLists, "etcdCa">,
    members: readonly EtcdMemberPod[],
    controllers: readonly string[],
    wanted: Pick<KeyLists, "etcdCa">,
): string[] {
    const [has, next] = [told.etcdCa, wanted.etcdCa];
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
