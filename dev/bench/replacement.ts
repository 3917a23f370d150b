import { setTimeout as sleep } from "node:timers/promises";
import { powerOff } from "../../machines";
import { TestCluster } from "../../test/cluster/cluster";
import { etcdLeader, threeVotersWithout } from "../../test/cluster/etcd-roll";
import { densePace, describeTallies, Prober } from "../../test/cluster/prober";
import { loadBalancerTargets } from "../../test/cluster/rollout";
import { failedRequests } from "./loss";
import { withCluster } from "./no-change/stack";
import { type Group, limited } from "./report";

/** Seconds until agents are idle after a change, and for which their requests are counted. */
const [calmSeconds, idleSeconds] = [180, 180];
/** Seconds until there should be three voters again, and what is allowed to measure it. */
const [goalSeconds, limitSeconds] = [120, 240];
/** Requests of agents per second and node. */
const idleGoal = 0.05;

const auditLog = "/var/log/kubernetes/audit";
const auditPolicy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] };

/** One of three controllers loses power, and a candidate takes its place. Before that: what agents request while idle. */
export const run: Group = ({ result, say }, { signal }) =>
    withCluster(
        undefined,
        signal,
        async ({ name }) => {
            const cluster = new TestCluster(name);
            const controllers = [0, 1, 2].map((index) => `${name}-controller-${index}`);
            const nodes = controllers.length + 2;
            await logAll(cluster);
            say(`counting requests of agents for ${idleSeconds} s, ${calmSeconds} s from now`);
            await sleep(calmSeconds * 1000, undefined, { signal });
            const since = new Date().toISOString();
            await sleep(idleSeconds * 1000, undefined, { signal });
            const requests = (await Promise.all(controllers.map((each) => requestsOf(cluster, each, since)))).flat();
            for (const [agent, count] of counted(requests)) say(`    ${agent}: ${count}`);
            const idle = requests.length / idleSeconds / nodes;
            result(limited("replacement.idle-requests", "per second and node", idle, idleGoal));

            const lost = await etcdLeader(cluster, controllers[0]!);
            const other = controllers.find((each) => each !== lost)!;
            const prober = new Prober(await loadBalancerTargets(cluster), limitSeconds, densePace);
            say(`cutting the power of ${lost}, the etcd leader`);
            const cut = performance.now();
            await powerOff(name, lost);
            await untilThreeVoters(cluster, other, lost, signal);
            const seconds = (performance.now() - cut) / 1000;
            const tallies = await prober.stop();
            say(`    ${describeTallies(tallies)}`);
            result(limited("replacement.three-voters", "s", seconds, goalSeconds));
            result(failedRequests("replacement", tallies));
        },
        ["--controllers", "3", "--workers", "2", "--candidates"],
    );

/** Makes the audit log complete. */
async function logAll(cluster: TestCluster): Promise<void> {
    const set = (path: string, text: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, text, "--plaintext");
    await set('controlPlaneFiles.kubeApiserver.files["all.yaml"]', JSON.stringify(auditPolicy));
    await set("components.kubeApiserver.audit-policy-file", "/etc/kubernetes/files/all.yaml");
    await cluster.pulumi("up", "--yes", "--skip-preview");
}

interface Entry {
    readonly auditID: string;
    readonly userAgent: string;
    readonly requestReceivedTimestamp: string;
}

/** Agents that sent a request to a controller, once per request: a watch has two entries. */
async function requestsOf(cluster: TestCluster, controller: string, since: string): Promise<string[]> {
    const lines = await cluster.exec(controller, `cat ${auditLog}/*.log | grep '"userAgent":"tradewind-' || true`);
    const entries = lines
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Entry)
        .filter(({ requestReceivedTimestamp: at }) => at >= since);
    return [...new Map(entries.map(({ auditID, userAgent }) => [auditID, userAgent])).values()];
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
}

async function untilThreeVoters(cluster: TestCluster, at: string, lost: string, signal: AbortSignal): Promise<void> {
    const areThree = () =>
        threeVotersWithout(lost, cluster, at).then(
            () => true,
            () => false,
        );
    const end = performance.now() + limitSeconds * 1000;
    while (!(await areThree())) {
        if (performance.now() > end) throw new Error(`no three voters ${limitSeconds} s after the loss of ${lost}`);
        await sleep(500, undefined, { signal });
    }
}
