import {
    type ClusterFacts,
    critical,
    type EtcdFacts,
    type EtcdMemberFacts,
    type Finding,
    ifKnown,
    warning,
} from "../facts";

/** Shares of the quota at which the database wants attention, and at which it is about to refuse writes. */
const full = { warning: 0.8, critical: 0.95 };

export function judgeEtcd({ etcd, nodes, api }: ClusterFacts): Finding[] {
    if ("unknown" in etcd) {
        // With the API down, that alone is the news.
        const isNews = api.answeredBy !== undefined;
        const advice = "kubectl -n kube-system get pods -l k8s-app=etcd";
        return isNews ? [warning("etcd-unknown", `etcd could not be asked: ${etcd.unknown}.`, advice)] : [];
    }
    const controllers = (ifKnown(nodes) ?? []).filter(({ isController }) => isController).map(({ name }) => name);
    return [
        ...quorum(etcd.value),
        ...etcd.value.members.flatMap(judgeMember),
        ...alarms(etcd.value),
        ...withoutMember(etcd.value, controllers),
    ];
}

function quorum({ members }: EtcdFacts): Finding[] {
    const voters = members.filter(({ isLearner }) => !isLearner);
    // One that is slow to answer has its part in the majority all the same.
    const answering = voters.filter(({ status, isReady }) => "value" in status || isReady);
    const needed = Math.floor(voters.length / 2) + 1;
    if (answering.length < needed) {
        return [
            critical(
                "etcd-no-quorum",
                `etcd has lost its majority: ${answering.length} of ${voters.length} voters answer, ${needed} are needed; nothing can be written.`,
                "Bring a lost controller back. If none will come back, restore a snapshot.",
            ),
        ];
    }
    const leaders = new Set(answering.flatMap(({ status }) => ("value" in status ? [status.value.leader] : [])));
    if (leaders.size > 1 || leaders.has(undefined)) {
        return [
            critical(
                "etcd-no-leader",
                "etcd's members do not agree on a leader.",
                "If it lasts longer than a few seconds, look at the network between the controllers and at their disks.",
            ),
        ];
    }
    return [];
}

function judgeMember({ name, isLearner, status, isReady }: EtcdMemberFacts): Finding[] {
    if ("unknown" in status && isReady) {
        return [
            warning(
                "etcd-member-slow",
                `The etcd member ${name} is slow to answer: ${status.unknown}; its kubelet finds it ready.`,
                "Its machine may be busy, or its disk slow. If it lasts, see its log: kubectl -n kube-system logs etcd-<node>".replace(
                    "<node>",
                    name,
                ),
            ),
        ];
    }
    if ("unknown" in status) {
        const advice =
            "See that its machine runs, and its log: kubectl -n kube-system logs etcd-<node>. One more loss may stop the API.";
        return [
            critical(
                "etcd-member-down",
                `The etcd member ${name} does not answer: ${status.unknown}.`,
                advice.replace("<node>", name),
            ),
        ];
    }
    const { dbSize, dbQuota, errors } = status.value;
    const share = dbQuota ? dbSize / dbQuota : 0;
    const report = share >= full.critical ? critical : warning;
    return [
        ...errors.map((error) => critical("etcd-member-error", `The etcd member ${name} reports: ${error}.`)),
        ...(isLearner
            ? [
                  warning(
                      "etcd-learner",
                      `The etcd member ${name} is a learner: it has no vote yet.`,
                      "It is promoted once it has all data; if not, see the log of the job that adds it: kubectl -n kube-system get jobs",
                  ),
              ]
            : []),
        ...(share >= full.warning
            ? [
                  report(
                      "etcd-full",
                      `The etcd member ${name} has filled ${Math.round(share * 100)} % of its quota.`,
                      "Delete what is not needed and defragment, or raise --quota-backend-bytes, before it refuses writes.",
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
                ? "It refuses writes. Compact, defragment, then etcdctl alarm disarm."
                : "Do not write to it: replace that member's data from the others, or restore a snapshot.";
        return critical("etcd-alarm", `The etcd member ${name} has raised the alarm ${type}.`, advice);
    });
}

function withoutMember({ members }: EtcdFacts, controllers: readonly string[]): Finding[] {
    return controllers
        .filter((node) => !members.some(({ name }) => name === node))
        .map((node) =>
            critical("etcd-member-missing", `The controller ${node} has no etcd member.`, "pulumi up adds it."),
        );
}

/** Hours after which the newest snapshot is old, however often they are taken. */
const oldHours = 26;

const logs = "kubectl -n kube-system logs -l k8s-app=etcd-keeper";

/** A cluster without snapshots is one that was set up so. One whose snapshots stopped is not. */
export function judgeSnapshot({ snapshot, at, api }: ClusterFacts): Finding[] {
    const { last, failure, copyFailure } = ifKnown(snapshot) ?? {};
    const hours = last ? (Date.parse(at) - Date.parse(last.at)) / 3_600_000 : 0;
    return [
        ...(failure === undefined
            ? []
            : [warning("snapshot-failed", `The last try of an etcd snapshot failed: ${failure}.`, logs)]),
        ...(copyFailure === undefined
            ? []
            : [
                  warning(
                      "snapshot-copy-failed",
                      `The last snapshot of etcd has no copy in the store: ${copyFailure}.`,
                      logs,
                  ),
              ]),
        ...(hours > oldHours
            ? [warning("snapshot-old", `The last snapshot of etcd is ${Math.round(hours)} h old.`, logs)]
            : []),
        ...("unknown" in snapshot && api.answeredBy !== undefined
            ? [warning("snapshot-unknown", `The state of the snapshots is not known: ${snapshot.unknown}.`)]
            : []),
    ];
}
