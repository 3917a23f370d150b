import {
    type ClusterFacts,
    critical,
    ETCD,
    type EtcdFacts,
    type EtcdMemberFacts,
    type Finding,
    ifKnown,
    type NodeFacts,
    warning,
} from "../facts";
import { lastWords } from "./remedies";

/** Shares of the quota at which the database needs attention, or is about to reject writes. */
const full = { warning: 0.8, critical: 0.95 };

export function judgeEtcd(facts: ClusterFacts): Finding[] {
    const { etcd, nodes, api } = facts;
    if ("unknown" in etcd) {
        // If the API is down, that finding is enough.
        const isNews = api.answeredBy !== undefined;
        const advice = "kubectl -n kube-system get pods -l k8s-app=etcd";
        return isNews ? [warning("etcd-unknown", `The state of etcd is unknown: ${etcd.unknown}.`, advice)] : [];
    }
    return [
        ...quorum(etcd.value),
        ...etcd.value.members.flatMap((member) => judgeMember(member, lastWords(facts, member.name, ETCD))),
        ...movedMembers(etcd.value, ifKnown(nodes) ?? []),
        ...alarms(etcd.value),
        ...withoutMember(etcd.value, ifKnown(nodes) ?? []),
    ];
}

/** A member is known by its address: on another one, the others do not find it, and no certificate is valid. */
function movedMembers({ members }: EtcdFacts, nodes: readonly NodeFacts[]): Finding[] {
    return members.flatMap(({ name, address }) => {
        const node = nodes.find((each) => each.name === name);
        if (address === undefined || node?.address === undefined || node.address === address) return [];
        return [
            critical(
                "controller-moved",
                `The controller ${name} has another address, ${node.address}: etcd, certificates and load balancers know it by ${address}.`,
                `Give the machine the address ${address} again, such as by a DHCP reservation, and reboot it; kubectl get node -o wide shows its address. If that is impossible, replace it: docs/scaling.md#replacing-a-machine`,
            ),
        ];
    });
}

function quorum({ members }: EtcdFacts): Finding[] {
    const voters = members.filter(({ isLearner }) => !isLearner);
    // A slow member still counts towards the majority.
    const answering = voters.filter(({ status, isReady }) => "value" in status || isReady);
    const needed = Math.floor(voters.length / 2) + 1;
    if (answering.length < needed) {
        return [
            critical(
                "etcd-no-quorum",
                `etcd has lost quorum: ${answering.length} of ${voters.length} voters answer, ${needed} are needed. All writes fail.`,
                "Bring a lost controller back. If that is impossible, restore a snapshot: tradewind recover --from snapshot",
            ),
        ];
    }
    const leaders = new Set(answering.flatMap(({ status }) => ("value" in status ? [status.value.leader] : [])));
    if (leaders.size > 1 || leaders.has(undefined)) {
        return [
            critical(
                "etcd-no-leader",
                "The etcd members do not agree on a leader.",
                "If this lasts longer than a few seconds, check the network between the controllers, and their disks: kubectl -n kube-system logs -l k8s-app=etcd --tail=50",
            ),
        ];
    }
    return [];
}

function judgeMember({ name, isLearner, status, isReady }: EtcdMemberFacts, words: string): Finding[] {
    if ("unknown" in status && isReady) {
        return [
            warning(
                "etcd-member-slow",
                `The etcd member ${name} is slow to answer: ${status.unknown}. Its kubelet reports it as ready.`,
                "Its machine may be busy or its disk slow. If this lasts, check its log: kubectl -n kube-system logs etcd-<node>".replace(
                    "<node>",
                    name,
                ),
            ),
        ];
    }
    if ("unknown" in status) {
        const advice =
            "Check that its machine is running, and its log: kubectl -n kube-system logs etcd-<node>. Losing another member may stop the API.";
        return [
            critical(
                "etcd-member-down",
                `The etcd member ${name} does not answer: ${status.unknown}${words}.`,
                advice.replace("<node>", name),
            ),
        ];
    }
    const { dbSize, dbQuota, errors } = status.value;
    const share = dbQuota ? dbSize / dbQuota : 0;
    const report = share >= full.critical ? critical : warning;
    return [
        ...errors.map((error) =>
            critical(
                "etcd-member-error",
                `The etcd member ${name} reports: ${error}.`,
                `kubectl -n kube-system logs etcd-${name}`,
            ),
        ),
        ...(isLearner
            ? [
                  warning(
                      "etcd-learner",
                      `The etcd member ${name} is a learner without a vote.`,
                      "It is promoted once it has caught up. Otherwise, check the log of the Job that adds it: kubectl -n kube-system get jobs",
                  ),
              ]
            : []),
        ...(share >= full.warning
            ? [
                  report(
                      "etcd-full",
                      `The etcd member ${name} uses ${Math.round(share * 100)} % of its quota.`,
                      "Delete unneeded objects, or raise quota-backend-bytes, before it rejects writes. etcd-keeper frees their space (docs/etcd.md#space): kubectl -n kube-system logs -l k8s-app=etcd-keeper",
                  ),
              ]
            : []),
    ];
}

function alarms({ alarms, members }: EtcdFacts): Finding[] {
    return alarms.map(({ member, type }) => {
        const name = members.find(({ id }) => id === member)?.name ?? member;
        const advice =
            type === "NOSPACE"
                ? `It rejects writes. etcd-keeper frees space and disarms the alarm (docs/etcd.md#space); if it does not: kubectl -n kube-system logs -l k8s-app=etcd-keeper`
                : "Do not write to etcd. Replace this member's data from the other members, or restore a snapshot: tradewind recover --from snapshot";
        return critical("etcd-alarm", `The etcd member ${name} has raised the ${type} alarm.`, advice);
    });
}

function withoutMember({ members }: EtcdFacts, nodes: readonly NodeFacts[]): Finding[] {
    return nodes
        .filter(({ isController, isArbiter }) => isController || isArbiter)
        .filter((node) => !members.some(({ name }) => name === node.name))
        .map(({ name, isArbiter }) => {
            const what = isArbiter ? "arbiter" : "controller";
            return critical("etcd-member-missing", `The ${what} ${name} has no etcd member.`, "pulumi up adds it.");
        });
}

/** Hours after which a snapshot that is due is overdue: the agent runs, but does not do its work. */
const overdueHours = 1;

/** Age in hours at which the newest snapshot is old, regardless of the schedule. */
const oldHours = 26;

const logs = "kubectl -n kube-system logs -l k8s-app=etcd-keeper";

/** No snapshots at all means they are not configured. Snapshots that stopped are a problem. */
export function judgeSnapshot({ snapshot, at, api }: ClusterFacts): Finding[] {
    const { last, failure, copyFailure, next } = ifKnown(snapshot) ?? {};
    const late = next === undefined ? 0 : (Date.parse(at) - Date.parse(next)) / 3_600_000;
    const hours = last ? (Date.parse(at) - Date.parse(last.at)) / 3_600_000 : 0;
    return [
        ...(failure === undefined
            ? []
            : [warning("snapshot-failed", `The last etcd snapshot failed: ${failure}.`, logs)]),
        ...(copyFailure === undefined
            ? []
            : [
                  warning(
                      "snapshot-copy-failed",
                      `The last etcd snapshot was not copied to the store: ${copyFailure}.`,
                      logs,
                  ),
              ]),
        ...(hours > oldHours
            ? [warning("snapshot-old", `The last etcd snapshot is ${Math.round(hours)} h old.`, logs)]
            : []),
        ...(late > overdueHours && hours <= oldHours
            ? [
                  warning(
                      "snapshot-overdue",
                      `The next etcd snapshot has been due for ${Math.round(late)} h: etcd-keeper does not take it.`,
                      logs,
                  ),
              ]
            : []),
        ...("unknown" in snapshot && api.answeredBy !== undefined
            ? [warning("snapshot-unknown", `The state of the snapshots is unknown: ${snapshot.unknown}.`, logs)]
            : []),
    ];
}
