import {
    type ClusterFacts,
    CONTROL_PLANE,
    ETCD,
    type EtcdFacts,
    type EtcdMemberFacts,
    type Fact,
    ifKnown,
    type PodFacts,
} from "../status/facts";
import type { PartView, Stated } from "./topology";

/** The control plane components on a node, including missing ones. */
export function partsOn(node: string, facts: ClusterFacts): PartView[] {
    return [...CONTROL_PLANE, ETCD].flatMap((component) => {
        const pods = (ifKnown(facts.pods) ?? []).filter((pod) => pod.node === node && pod.component === component);
        const member = component === ETCD ? memberOf(node, facts.etcd) : undefined;
        if (pods.length === 0) return [{ component, ...absent(node, facts, member) }];
        return pods.map((pod) => ({
            component,
            origin: pod.origin,
            ...stateOf(pod, facts, pods.length === 1, member),
        }));
    });
}

/** Number of members, of those that answer, and the leader. */
export function etcdSummary(etcd: Fact<EtcdFacts>): Stated {
    if ("unknown" in etcd) {
        return { meaning: "unknown", words: `etcd unknown: ${etcd.unknown}` };
    }
    const { members, alarms } = etcd.value;
    const voters = members.filter(({ isLearner }) => !isLearner);
    const answering = voters.filter(({ status }) => "value" in status).length;
    const count = `etcd: ${members.length} ${members.length === 1 ? "member" : "members"}`;
    const leader = leaderOf(etcd.value);
    const words = [
        count,
        ...(answering < voters.length ? [`${answering} of ${voters.length} voters answer`] : []),
        leader ? `${leader} leads` : "no leader answers",
        ...[...new Set(alarms.map(({ type }) => `alarm ${type}`))],
    ].join(", ");
    const hasQuorum = answering > voters.length / 2 && leader !== undefined;
    const isWhole = answering === voters.length && alarms.length === 0;
    return { meaning: hasQuorum ? (isWhole ? "good" : "warning") : "bad", words };
}

function leaderOf({ members }: EtcdFacts): string | undefined {
    const ids = new Set(members.flatMap(({ status }) => ifKnown(status)?.leader ?? []));
    // What other members report about a silent one may be outdated.
    return members.find(({ id, status }) => ids.has(id) && "value" in status)?.name;
}

function memberOf(node: string, etcd: Fact<EtcdFacts>): string | undefined {
    const member = ifKnown(etcd)?.members.find(({ name }) => name === node);
    return member && roleOf(member);
}

function roleOf({ id, isLearner, status, isReady }: EtcdMemberFacts): string {
    const role = isLearner ? "learner" : "voter";
    return "unknown" in status
        ? `${role}, ${isReady ? "slow" : "no answer"}`
        : status.value.leader === id
          ? "leader"
          : role;
}

function stateOf(pod: PodFacts, { leaders }: ClusterFacts, isAlone: boolean, member: string | undefined): Stated {
    const { component, node, origin, state, isEnding, version, restarts = 0 } = pod;
    const leads = ifKnown(leaders)?.some((leader) => leader.component === component && leader.node === node) ?? false;
    const words = [
        isEnding ? "terminating" : state === "not-ready" ? "not ready" : state,
        ...(member ? [member] : []),
        // If two run on one node, the lease does not say which one leads.
        ...(leads && isAlone && state === "ready" && !isEnding ? ["leads"] : []),
        ...(version ? [version] : []),
        ...(restarts > 0 ? [`${restarts} ${restarts === 1 ? "restart" : "restarts"}`] : []),
    ].join(" · ");
    const isOdd = isEnding || origin === "checkpoint" || (member?.includes("no answer") ?? false);
    return { meaning: state === "not-ready" && !isEnding ? "bad" : isOdd ? "warning" : "good", words };
}

/** Nothing runs, or it is unknown. */
function absent(node: string, { pods, nodes, machines }: ClusterFacts, member: string | undefined): Stated {
    const inside = ifKnown(machines)?.find(({ name }) => name === node)?.inside;
    const isKnown = "value" in pods && ("value" in nodes || (inside !== undefined && "value" in inside));
    const role = member ? [member] : [];
    return isKnown
        ? { meaning: "bad", words: ["not running", ...role].join(" · ") }
        : { meaning: "unknown", words: ["unknown", ...role].join(" · ") };
}
