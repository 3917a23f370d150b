import { invalid } from "../validate";
import type { KeyHolder } from "./changes";
import { isSame, type KeyLists } from "./lists";

/** A member of etcd, as its pod tells of it. */
export interface EtcdMemberPod {
    /** Such as `etcd-c-controller-0`. */
    readonly name: string;
    /** The authorities that it began with. */
    readonly etcdCa: readonly number[];
}

/** Members among those who have keys. */
export function memberHolders(members: readonly EtcdMemberPod[]): KeyHolder[] {
    return members.map(({ name, etcdCa }) => ({ name: `the pod ${name}`, keys: { etcdCa } }));
}

/**
 * What else stands in the way of another authority of etcd: a member of which nothing is known, and one that trusts a
 * namesake. kube-apiserver is told of an authority before members are, so who knows more than it knows what was given up.
 *
 * @param controllers - nodes that have a member each
 */
export function memberProblems(
    told: Pick<KeyLists, "etcdCa">,
    members: readonly EtcdMemberPod[],
    controllers: readonly string[],
    wanted: Pick<KeyLists, "etcdCa">,
): string[] {
    const [has, next] = [told.etcdCa, wanted.etcdCa];
    if (isSame(has, next)) {
        return [];
    }
    const problem = (legal: string) => invalid("keys.etcdCa", legal, next).message;
    const lacking = controllers
        .map((node) => `etcd-${node}`)
        .filter((pod) => !members.some(({ name }) => name === pod))
        .map((pod) => problem(`${JSON.stringify(has)} until there is a pod ${pod}: it says what the member trusts`));
    const reused = members.flatMap(({ name, etcdCa }) =>
        next
            .filter((generation) => etcdCa.includes(generation) && !has.includes(generation))
            .map((generation) =>
                problem(
                    `a list without ${generation} while the pod ${name} has ${JSON.stringify(etcdCa)}: ` +
                        "that one was given up, and another has another number",
                ),
            ),
    );
    return [...lacking, ...reused];
}
